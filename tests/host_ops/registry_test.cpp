// The registry against the tree: rows and files must name each other.
#include "host_fallback/registry.h"

#include <unity.h>

#include <filesystem>
#include <format>
#include <set>

#include "plugin/graph/schema.h"
#include "tests/expect.h"

using namespace dbk;
namespace fs = std::filesystem;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

const fs::path kRoot = DAYBREAK_SOURCE_DIR;
const std::set<std::string_view> kFunctorFamilies = {"unary", "binary", "predicate", "compare", "reduce", "arg"};

std::set<std::string> ids() {
  std::set<std::string> set;
  for (const OpRow& row : all_ops()) set.emplace(row.id);
  return set;
}

std::set<std::string> ids_with_fused() {
  std::set<std::string> set = ids();
  for (const OpRow& row : fused_ops()) set.emplace(row.id);
  return set;
}

void test_rows_are_well_formed() {
  std::set<std::string> names;
  TEST_ASSERT_EQUAL_size_t_MESSAGE(all_ops().size(), ids().size(), "an id occurs twice");
  for (const OpRow& row : all_ops()) {
    const std::string id(row.id);
    expect(names.insert(std::format("{}/{}", row.domain, row.name)).second, id + ": name occurs twice");
    expect(row.low <= row.high && row.tolerance.cpu >= 0 && row.tolerance.gpu >= row.tolerance.cpu, id + ": domain or tolerance");
    expect(row.host && row.host->infer && row.host->compute, id + ": incomplete host op");
    expect((row.gpu_dtypes & ~row.host->dtypes) == 0, id + ": the host lacks a dtype of the GPU");
    expect(row.domain != "" || known_op("", row.name), id + ": ONNX has no such op");
    expect(find_op(row.domain, row.name) == &row, id + ": not found by name");
  }
  for (const OpRow& row : fused_ops()) {
    const std::string id(row.id);
    expect(row.host && row.host->infer && row.host->compute, id + ": incomplete host op");
    expect(!find_op(row.domain, row.name), id + ": hosts can name a fused op");
    expect(&fused_op(row.id) == &row, id + ": not found by id");
  }
  TEST_ASSERT_EQUAL_size_t_MESSAGE(all_ops().size() + fused_ops().size(), ids_with_fused().size(), "an id occurs twice");
  expect(find_op("ai.onnx", "Relu") == find_op("", "Relu"), "ai.onnx is the default domain");
  expect(!find_op("", "relu") && !find_op("com.example", "Relu"), "found an op that is not there");
}

void test_functor_rows_have_a_kernel() {
  for (const OpRow& row : all_ops())
    if (kFunctorFamilies.contains(row.family) && row.gpu_dtypes) {
      const fs::path file = kRoot / "kernels" / (std::string(row.id) + ".wgsl");
      expect(fs::exists(file), file.string() + " is missing");
    }
}

// A kernel is a frame (_name), belongs to a row (id or id_variant), or lies in a folder named after a family.
void test_kernels_belong_to_rows() {
  std::set<std::string> families;
  for (const OpRow& row : all_ops()) families.emplace(row.family);
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "kernels")) {
    const std::string name = entry.path().stem().string();
    if (entry.is_directory()) expect(families.contains(name), name + ": a folder that is no family");
    if (entry.path().extension() != ".wgsl" || name[0] == '_') continue;
    bool owned = families.contains(name);
    for (const std::string& id : ids()) owned |= name == id || name.starts_with(id + "_");
    expect(owned, name + ".wgsl belongs to no row");
  }
}

// A source is an op of a row or, with a header of the same name, a part of the frames.
void test_host_files_belong_to_rows() {
  const std::set<std::string> known = ids_with_fused();
  for (const std::string& id : known)
    expect(fs::exists(kRoot / "host_fallback" / (id + ".cpp")), id + ".cpp is missing");
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "host_fallback")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string name = entry.path().stem().string();
    expect(known.contains(name) || fs::exists(kRoot / "host_fallback" / (name + ".h")),
           name + ".cpp belongs to no row");
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_rows_are_well_formed);
  RUN_TEST(test_functor_rows_have_a_kernel);
  RUN_TEST(test_kernels_belong_to_rows);
  RUN_TEST(test_host_files_belong_to_rows);
  return UNITY_END();
}
