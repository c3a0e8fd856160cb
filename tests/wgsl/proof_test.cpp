// What matrices of subgroups are asked before they are used: sums are exact in their own type, in whatever order, and in none that holds less; no
// wrong element passes.
#include <unity.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
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

template <class T>
std::vector<double> as_numbers(const std::vector<std::byte>& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return {elements.begin(), elements.end()};
}

std::vector<double> numbers_in(const std::vector<std::byte>& bytes, std::string_view type) {
  if (type == "f16") return as_numbers<_Float16>(bytes);
  if (type == "f32") return as_numbers<float>(bytes);
  if (type == "i8") return as_numbers<int8_t>(bytes);
  if (type == "u8") return as_numbers<uint8_t>(bytes);
  return type == "i32" ? as_numbers<int32_t>(bytes) : as_numbers<uint32_t>(bytes);
}

template <class T>
std::vector<std::byte> as_bytes(const std::vector<double>& numbers) {
  std::vector<std::byte> bytes;
  for (const double x : numbers) {
    const auto element = static_cast<T>(x);
    const auto* first = reinterpret_cast<const std::byte*>(&element);
    bytes.insert(bytes.end(), first, first + sizeof element);
  }
  return bytes;
}

std::vector<std::byte> bytes_of(const std::vector<double>& numbers, std::string_view type) {
  if (type == "f16") return as_bytes<_Float16>(numbers);
  if (type == "f32") return as_bytes<float>(numbers);
  return type == "i32" ? as_bytes<int32_t>(numbers) : as_bytes<uint32_t>(numbers);
}

using Rounded = std::function<double(double)>;
double as_it_is(double x) { return x; }

// What an adapter gives that rounds each operand and each sum so.
std::vector<double> product_of(const MatrixProof& proof, const Rounded& operand, const Rounded& sum) {
  const std::vector<double> a = numbers_in(proof.a, proof.config.component), b = numbers_in(proof.b, proof.config.component);
  const size_t depth = a.size() / proof.config.m;
  std::vector<double> c;
  for (uint32_t i = 0; i < proof.config.m; ++i)
    for (uint32_t j = 0; j < proof.config.n; ++j) {
      double total = 0;
      for (size_t q = 0; q < depth; ++q) total = sum(total + operand(a[i * depth + q]) * operand(b[j * depth + q]));
      c.push_back(total);
    }
  return c;
}

// The largest power of two of which all are multiples.
double unit_of(const std::vector<double>& numbers) {
  double unit = 0x1p40;
  for (const double x : numbers)
    while (std::fmod(x, unit) != 0) unit /= 2;
  return unit;
}

void test_products_are_exact() {
  for_each_proof([](const MatrixProof& proof) {
    const auto& [m, n, k, component, result] = proof.config;
    const double digits = result == "f16" ? 0x1p11 : result == "f32" ? 0x1p24 : 0x1p31;
    const double unit = unit_of(numbers_in(proof.a, component)) * unit_of(numbers_in(proof.b, component));
    const auto size = [](double x) { return std::fabs(x); };  // sums of these are the most that sums come to in any order
    for (const double most : product_of(proof, size, as_it_is)) expect(most <= digits * unit, proof.program.label);
    expect(bytes_of(product_of(proof, as_it_is, as_it_is), result) == proof.c, proof.program.label);
  });
}

double to_f16(double x) { return static_cast<double>(static_cast<_Float16>(x)); }
double to_bits_of_f16(double x) {  // in any range
  int exponent;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
}

// A driver that adds up in fewer bits than it says, or in a smaller range, is found out, and one that takes f32 for less.
void test_narrow_arithmetic_is_found() {
  for_each_proof([](const MatrixProof& proof) {
    const auto& [m, n, k, component, result] = proof.config;
    const auto found = [&](const Rounded& operand, const Rounded& sum) {
      expect(!proof.refuse(bytes_of(product_of(proof, operand, sum), result)).empty(), proof.program.label + ": narrow arithmetic passes");
    };
    if (result == "f32") found(as_it_is, to_f16), found(as_it_is, to_bits_of_f16);
    if (component == "f32") found(to_f16, as_it_is), found(to_bits_of_f16, as_it_is);
    if (result == "i32") found(as_it_is, [](double x) { return std::clamp(x, -0x1p15, 0x1p15 - 1); });
    if (result == "u32") found(as_it_is, [](double x) { return std::min(x, 0x1p16 - 1); });
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
  RUN_TEST(test_narrow_arithmetic_is_found);
  RUN_TEST(test_rows_and_columns_differ);
  RUN_TEST(test_every_wrong_element_is_found);
  RUN_TEST(test_what_no_kernel_uses_is_not_asked);
  return UNITY_END();
}
