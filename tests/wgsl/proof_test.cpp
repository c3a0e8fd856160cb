// What matrices of subgroups are asked before they are used: exact whichever type adds up, and no wrong element passes.
#include <unity.h>

#include <cstring>
#include <set>

#include "plugin/gpu/families/matrix_proof.h"
#include "tests/expect.h"
#include "tests/wgsl/example_nodes.h"

using namespace dbk;
using namespace dbk::gpu;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

template <class F>
void for_each_proof(F&& f) {
  for (const wgsl::Adapter& adapter : wgsl::example_adapters())
    for (const MatrixConfig& config : adapter.caps.matrices) {
      const auto proof = matrix_proof(config, adapter.caps);
      expect(proof.has_value(), std::string(adapter.name) + " has matrices that no kernel uses");
      f(*proof);
    }
}

void test_products_are_exact() {
  for_each_proof([](const MatrixProof& proof) {
    if (proof.config.result != "f16") return;
    std::vector<_Float16> halves(proof.c.size() / 2);
    std::memcpy(halves.data(), proof.c.data(), proof.c.size());
    for (const _Float16 x : halves) expect(x == static_cast<_Float16>(static_cast<int>(x)) && x < 2048 && x > -2048, proof.program.label);
  });
}

// Whoever takes another row or column, or one matrix for the other, is found out.
void test_rows_and_columns_differ() {
  for_each_proof([](const MatrixProof& proof) {
    const uint32_t m = proof.config.m, n = proof.config.n;
    const size_t size = proof.c.size() / (m * n);
    const auto line = [&](uint32_t first, uint32_t step, uint32_t count) {
      std::vector<std::byte> elements;
      for (uint32_t i = 0; i < count; ++i) elements.insert(elements.end(), &proof.c[(first + i * step) * size], &proof.c[(first + i * step) * size] + size);
      return elements;
    };
    std::set<std::vector<std::byte>> lines;
    for (uint32_t i = 0; i < m; ++i) lines.insert(line(i * n, 1, n));
    for (uint32_t j = 0; j < n; ++j) lines.insert(line(j, n, m));
    expect(lines.size() == m + n, proof.program.label + ": two rows or columns are alike");
  });
}

void test_every_wrong_element_is_found() {
  for_each_proof([](const MatrixProof& proof) {
    expect(proof.refuse(proof.c).empty(), proof.program.label + ": what is right is refused");
    expect(!proof.refuse(std::span(proof.c).first(proof.c.size() / 2)).empty(), proof.program.label + ": half of the elements pass");
    for (size_t i = 0; i < proof.c.size(); ++i) {
      std::vector<std::byte> wrong = proof.c;
      wrong[i] ^= std::byte{4};
      const size_t element = i / (proof.c.size() / (proof.config.m * proof.config.n));
      const std::string place = std::format("[{}, {}]", element / proof.config.n, element % proof.config.n);
      expect(proof.refuse(wrong).find(place) != std::string::npos, proof.program.label + ": " + place);
    }
  });
}

void test_what_no_kernel_uses_is_not_asked() {
  const Capabilities caps{.subgroup_max = 32};
  expect(!matrix_proof({16, 16, 16, "f32", "f16"}, caps) && !matrix_proof({8, 8, 8, "i32", "i32"}, caps), "types without a kernel");
  expect(!matrix_proof({8, 8, 2, "i8", "i32"}, caps) && !matrix_proof({8, 8, 24, "f16", "f32"}, caps), "depths without a kernel");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_products_are_exact);
  RUN_TEST(test_rows_and_columns_differ);
  RUN_TEST(test_every_wrong_element_is_found);
  RUN_TEST(test_what_no_kernel_uses_is_not_asked);
  return UNITY_END();
}
