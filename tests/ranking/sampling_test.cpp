// Samples of invented times: the fastest of each counts, one bad sample decides nothing, and what is hopeless is not run on.
#include "plugin/sampling.h"

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

namespace {

using Times = std::vector<std::vector<double>>;  // of each thing, round by round

struct Sampled : dbk::Samples {
  std::vector<size_t> runs;
};

// The budget ends with that round.
Sampled sampled(const Times& times, int rounds, int budget = 100) {
  std::vector<size_t> runs(times.size());
  const auto time = [&](size_t thing) { return times[thing].at(runs[thing]++); };
  const auto spent = [&] { return static_cast<int>(runs[0]) >= budget; };
  const dbk::Samples samples = dbk::sample(times.size(), rounds, time, spent);
  return {samples, runs};
}

void test_fastest_counts() {
  const Sampled got = sampled({{5, 3, 4, 6, 7}, {4, 4, 9, 3.5, 4}}, 5);
  TEST_ASSERT_EQUAL_DOUBLE(3, got.fastest[0]);
  TEST_ASSERT_EQUAL_DOUBLE(3.5, got.fastest[1]);
  TEST_ASSERT_EQUAL_INT(5, got.rounds);
}

void test_bad_samples_are_forgiven() {
  const Sampled got = sampled({{2, 2, 2, 2, 2}, {9, 5, 1, 1, 1}}, 5);
  TEST_ASSERT_EQUAL_DOUBLE(1, got.fastest[1]);
  TEST_ASSERT_EQUAL_size_t(5, got.runs[1]);
}

void test_hopeless_ones_are_given_up() {
  const Sampled got = sampled({{2, 2, 2, 2, 2}, {9, 5, 4.5, 1, 1}, {4, 4, 4, 4, 4}}, 5);
  TEST_ASSERT_EQUAL_size_t(3, got.runs[1]);
  TEST_ASSERT_EQUAL_DOUBLE(4.5, got.fastest[1]);
  TEST_ASSERT_EQUAL_size_t_MESSAGE(5, got.runs[2], "twice the best is not hopeless");
}

void test_budget() {
  const Times times{{2, 2, 2}, {3, 3, 3}};
  TEST_ASSERT_EQUAL_INT(2, sampled(times, 3, 2).rounds);
  const Sampled one = sampled(times, 3, 0);
  TEST_ASSERT_EQUAL_INT_MESSAGE(1, one.rounds, "one round, whatever the budget");
  TEST_ASSERT_EQUAL_DOUBLE(3, one.fastest[1]);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_fastest_counts);
  RUN_TEST(test_bad_samples_are_forgiven);
  RUN_TEST(test_hopeless_ones_are_given_up);
  RUN_TEST(test_budget);
  return UNITY_END();
}
