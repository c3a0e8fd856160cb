// usage: ops_suite FAMILY KIND - every row of a family on every device of that kind (device_list.h); one Unity test per row.
//                                Prints how much of the allowed error was seen: what to look at on a new adapter; and a digest of
//                                the bits of all results, which repeats.
//        ops_suite sample KIND - of every row that has kernels some small cases, spread over its table.
//        ops_suite registry    - every family of the registry has a table, every row has cases, and host code for every type that ONNX
//                                allows.
// DAYBREAK_TEST_CASE=TEXT runs only cases whose name contains TEXT and prints each before it starts, and then its error.
// DAYBREAK_TEST_SEED changes the numbers.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <format>

#include "tests/ops/awkward.h"
#include "tests/ops/case_check.h"
#include "tests/ops/case_tables.h"
#include "tests/ops/host_types.h"
#include "tests/ops/value_maker.h"

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

namespace {

using ops::DeviceList;

const DeviceList* devices = nullptr;
const dbk::OpRow* row = nullptr;
bool sampling = false;

const char* filter() { return std::getenv("DAYBREAK_TEST_CASE"); }

bool chosen(const std::string& name) {
  const bool found = !filter() || name.find(filter()) != std::string::npos;
  if (filter() && found) std::printf("  %s:", name.c_str()), std::fflush(stdout);
  return found;
}

// "f32 83 % f16 99 %": how much of the allowed error was seen.
std::string percent(const std::map<ops::DType, double>& used) {
  std::string text;
  for (const auto& [dtype, share] : used)
    if (ops::is_float(dtype)) text += std::format(" {} {:.0f} %", dbk::to_string(dtype), 100 * share);
  return text;
}

// For a look at all kernels under other circumstances, as another driver or another width of its vectors.
ops::Cases sample_of(const ops::Cases& cases) {
  constexpr size_t kMost = 4;
  constexpr int64_t kLargest = 1 << 14;  // elements
  ops::Cases small, sample;
  for (const ops::OpCase& test : cases) {
    int64_t elements = 0;
    for (const ops::Operand& operand : test.inputs) elements += operand.shape.count();
    const bool on_device = test.place == ops::Place::ByRow && !test.inputs.empty() && dbk::contains(row->gpu_dtypes, test.inputs[0].dtype);
    if (on_device && elements > 0 && elements <= kLargest) small.push_back(test);
  }
  const size_t count = std::min(kMost, small.size());
  for (size_t i = 0; i < count; ++i) sample.push_back(small[(2 * i + 1) * small.size() / (2 * count)]);
  return sample;
}

ops::Cases cases_of_row() {
  ops::Cases cases = ops::find_table(row->family)->cases(*row);
  return sampling ? sample_of(cases) : cases;
}

// Runs the cases of `row`; gives the number that failed.
int run_cases() {
  const auto start = std::chrono::steady_clock::now();
  int count = 0, failed = 0;
  std::map<ops::DType, double> used;
  ops::BitDigest bits;
  for (const ops::OpCase& test : cases_of_row()) {
    if (!chosen(test.name)) continue;
    for (const daybreak::DeviceInfo& device : devices->devices()) {
      ++count;
      const ops::Outcome outcome = ops::check_case(*devices, device, *row, test);
      bits.add(outcome.bits);
      for (const auto& [dtype, share] : outcome.used) used[dtype] = std::max(used[dtype], share);
      if (filter()) std::printf("%s\n", percent(outcome.used).c_str());
      if (outcome.problem.empty()) continue;
      if (++failed <= 20) std::printf("  %s\n", outcome.problem.c_str());
    }
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  std::printf("  %s: %d cases, %d failed, %.1f s; bits %016llx; of the allowed error:%s\n", std::string(row->id).c_str(), count, failed,
              passed.count(), static_cast<unsigned long long>(bits.value()), percent(used).c_str());
  return failed;
}

// Unity leaves a failed test by longjmp, so no object of ours may be alive here.
void test_row() {
  const int failed = run_cases();
  if (failed > 0) TEST_FAIL_MESSAGE("cases failed, see above");
}

void test_every_row_has_cases() {
  for (const dbk::OpRow& each : dbk::all_ops())
    TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(0, ops::find_table(each.family)->cases(each).size(), each.name.data());
}

void test_every_type_has_host_code() {
  size_t gaps = 0;
  for (const dbk::OpRow& each : dbk::all_ops()) {
    const ops::Cases cases = ops::find_table(each.family)->cases(each);
    const auto test = std::ranges::find_if(cases, [](const ops::OpCase& c) { return !c.inputs.empty(); });
    if (test == cases.end()) continue;
    for (const std::string& gap : ops::type_gaps(each, *test)) std::printf("  %s\n", gap.c_str()), ++gaps;
  }
  TEST_ASSERT_EQUAL_size_t_MESSAGE(0, gaps, "see above and tests/ops/host_types.cpp");
}

int run_family(const char* family) {
  UnityBegin(family);
  for (const dbk::OpRow& each : dbk::all_ops()) {
    if (sampling ? each.gpu_dtypes == 0 : each.family != family) continue;
    row = &each;
    UnityDefaultTestRun(test_row, std::string(each.id).c_str(), __LINE__);
  }
  TEST_ASSERT_GREATER_THAN_MESSAGE(0, static_cast<int>(Unity.NumberOfTests), "no row of that family");
  return UnityEnd();
}

int usage() {
  std::fputs("usage: ops_suite FAMILY|sample cpu|gpu|fast|hardware|hardware_fast | ops_suite registry\n", stderr);
  return EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::strcmp(argv[1], "registry") == 0) {
      UnityBegin("ops_main.cpp");
      RUN_TEST(test_every_row_has_cases);
      RUN_TEST(test_every_type_has_host_code);
      return UnityEnd();
    }
    sampling = argc == 3 && std::strcmp(argv[1], "sample") == 0;
    if (argc != 3 || (!sampling && !ops::find_table(argv[1]))) return usage();
    const DeviceList list(argv[2]);
    if (const int code = list.exit_code_without_device()) return code;
    for (const daybreak::DeviceInfo& device : list.devices())
      std::printf("device: %s, %s\n", device.name.c_str(), device.driver.c_str());
    std::printf("seed: %llu\n", static_cast<unsigned long long>(ops::suite_seed()));
    devices = &list;
    return run_family(argv[1]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "ops_suite: %s\n", e.what());
    return EXIT_FAILURE;
  }
}
