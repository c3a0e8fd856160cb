// Samples of invented times: the fastest of each counts, one bad sample decides nothing, what is hopeless is not run on, and rounds end when they are of no use.
#include "plugin/sampling.h"

#include <numeric>

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

// The first of the times are there already; the budget ends with so many runs of all things, these counted.
Sampled sampled(const Times& times, dbk::Rounds rounds, size_t budget = 100) {
  std::vector<size_t> runs(times.size(), 1);
  std::vector<double> first;
  for (const std::vector<double>& list : times) first.push_back(list.at(0));
  const auto time = [&](size_t thing) { return times[thing].at(runs[thing]++); };
  const auto spent = [&] { return std::accumulate(runs.begin(), runs.end(), size_t{0}) >= budget; };
  const dbk::Samples samples = dbk::sample(first, rounds, time, spent);
  return {samples, runs};
}

void test_fastest_counts() {
  const Sampled got = sampled({{5, 3, 4, 6, 7}, {4, 4, 9, 3.5, 4}}, {0, 4});
  TEST_ASSERT_EQUAL_DOUBLE(3, got.fastest[0]);
  TEST_ASSERT_EQUAL_DOUBLE(3.5, got.fastest[1]);
  TEST_ASSERT_EQUAL_INT(4, got.rounds);
}

void test_bad_samples_are_forgiven() {
  const Sampled got = sampled({{2, 2, 2, 2, 2}, {9, 5, 1, 1, 1}}, {0, 4});
  TEST_ASSERT_EQUAL_DOUBLE(1, got.fastest[1]);
  TEST_ASSERT_EQUAL_size_t(5, got.runs[1]);
}

void test_hopeless_ones_are_given_up() {
  const Sampled got = sampled({{2, 2, 2, 2, 2}, {9, 5, 4.5, 1, 1}, {4, 4, 4, 4, 4}}, {0, 4});
  TEST_ASSERT_EQUAL_size_t(3, got.runs[1]);
  TEST_ASSERT_EQUAL_DOUBLE(4.5, got.fastest[1]);
  TEST_ASSERT_EQUAL_size_t_MESSAGE(5, got.runs[2], "twice the best is not hopeless");
}

void test_rounds_end_when_nothing_gets_faster() {
  const Sampled got = sampled({{2, 2, 1.97, 1, 1}, {3, 2.95, 3, 3, 3}}, {0, 4});
  TEST_ASSERT_EQUAL_INT_MESSAGE(2, got.rounds, "less than 2 % is no gain");
  TEST_ASSERT_EQUAL_DOUBLE(1.97, got.fastest[0]);
  TEST_ASSERT_EQUAL_size_t(3, got.runs[1]);
  TEST_ASSERT_TRUE(got.enough);
  const Sampled later = sampled({{2, 2, 2, 2, 2, 2}, {3, 3, 2.9, 3, 3, 3}}, {0, 5});
  TEST_ASSERT_EQUAL_INT_MESSAGE(4, later.rounds, "a gain of anything begins the count anew");
}

void test_budget() {
  const Times times{{5, 4, 3}, {6, 5, 4}};
  const Sampled none = sampled(times, {0, 2}, 0);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, none.rounds, "nothing runs once the time is over");
  TEST_ASSERT_EQUAL_DOUBLE(6, none.fastest[1]);
  const Sampled part = sampled(times, {0, 2}, 3);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, part.rounds, "it ends within a round");
  TEST_ASSERT_FALSE(part.enough);
  TEST_ASSERT_TRUE_MESSAGE(sampled(times, {0, 2}).enough, "all rounds are enough");
  TEST_ASSERT_EQUAL_DOUBLE(4, part.fastest[0]);
  TEST_ASSERT_EQUAL_DOUBLE(6, part.fastest[1]);
  const Sampled least = sampled(times, {1, 2}, 0);
  TEST_ASSERT_EQUAL_INT_MESSAGE(1, least.rounds, "one round, whatever the budget");
  TEST_ASSERT_EQUAL_DOUBLE(5, least.fastest[1]);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_fastest_counts);
  RUN_TEST(test_bad_samples_are_forgiven);
  RUN_TEST(test_hopeless_ones_are_given_up);
  RUN_TEST(test_rounds_end_when_nothing_gets_faster);
  RUN_TEST(test_budget);
  return UNITY_END();
}
