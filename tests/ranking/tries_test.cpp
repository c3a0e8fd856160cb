// Kernels with invented results and times: one that is wrong is not measured, however fast it is, and the log says so
// once.
#include "plugin/tries.h"

#include "plugin/sampling.h"

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

namespace {

struct Fake {
  const char* name;
  double microseconds;
  std::vector<std::vector<float>> results;
  const char* failure = nullptr;
  dbk_status status = DBK_OUT_OF_MEMORY;  // of the failure
};

const std::vector<std::vector<float>> kRight{{1, -2, 3}, {4, 5}}, kWrong{{1, -2, 3}, {4, 6}}, kShort{{1, -2, 3}};
const std::string kTrial = "MatMul of 8 x 64 x 64";

struct Tried {
  dbk::Tries tries;
  std::vector<std::string> warnings, infos;

  std::string right() const {
    std::string names;
    for (const dbk::TriedKernel& kernel : tries.right) names += kernel.name + " ";
    return names;
  }
  // As the tuner does it.
  std::string fastest() const {
    std::vector<double> first;
    for (const dbk::TriedKernel& kernel : tries.right) first.push_back(kernel.microseconds);
    const dbk::Samples samples =
        dbk::sample(first, {1, 3}, [&](size_t i) { return tries.right[i].again(); }, [] { return false; });
    return tries.right[size_t(std::ranges::min_element(samples.fastest) - samples.fastest.begin())].name;
  }
};

void DBK_CALL keep_line(void* user, uint32_t level, const char* text, uint64_t length) {
  auto& tried = *static_cast<Tried*>(user);
  (level == DBK_LOG_WARNING ? tried.warnings : tried.infos).emplace_back(text, length);
}

dbk::TriedKernel run_of(const Fake& fake) {
  if (fake.failure) dbk::fail(fake.status, "{}", fake.failure);
  std::vector<dbk::Numbers> results;
  for (const std::vector<float>& result : fake.results) results.push_back({DBK_F32, result});
  return {
      fake.name, fake.microseconds, results, {.terms = 64, .alone = true}, [time = fake.microseconds] { return time; }};
}

// The reference is "lane"; the time is over before more than `most` kernels have been tried.
Tried tried(const std::vector<Fake>& fakes, size_t most = SIZE_MAX) {
  Tried got;
  dbk_host host{};
  host.user = &got, host.log = keep_line, host.log_level = DBK_LOG_INFO;
  const dbk::Log log(host);
  dbk::Trial trial;
  trial.name = kTrial, trial.reference = "lane";
  for (const Fake& fake : fakes) trial.kernels.emplace_back(fake.name);
  const auto run = [&](const std::string& name) {
    return std::optional(run_of(*std::ranges::find(fakes, name, &Fake::name)));
  };
  got.tries = dbk::try_kernels(trial, trial.kernels, {run, [&](size_t count) { return count < most; }, log});
  return got;
}

void require_one_warning(const Tried& got, const char* kernel) {
  TEST_ASSERT_EQUAL_size_t(1, got.warnings.size());
  TEST_ASSERT_EQUAL_STRING((kernel + (" is wrong for " + kTrial) + " and is not used").c_str(),
                           got.warnings[0].c_str());
}

void test_right_ones_are_kept() {
  const Tried got = tried({{"line", 3, kRight}, {"lane", 9, kRight}, {"tile", 2, kRight}});
  TEST_ASSERT_EQUAL_STRING("line lane tile ", got.right().c_str());
  TEST_ASSERT_EQUAL_STRING("tile", got.fastest().c_str());
  TEST_ASSERT_EQUAL_size_t(3, got.tries.tried);
  TEST_ASSERT_EQUAL_size_t(0, got.warnings.size() + got.infos.size());
}

void test_a_wrong_one_loses_however_fast() {
  const Tried got = tried({{"line", 3, kRight}, {"lane", 9, kRight}, {"tile", 0.1, kWrong}, {"gemv", 4, kRight}});
  TEST_ASSERT_EQUAL_STRING("line lane gemv ", got.right().c_str());
  TEST_ASSERT_EQUAL_STRING("line", got.fastest().c_str());
  TEST_ASSERT_EQUAL_size_t_MESSAGE(4, got.tries.tried, "it was tried");
  TEST_ASSERT_TRUE_MESSAGE(got.tries.had_memory, "it would be wrong again");
  require_one_warning(got, "tile");
}

// It runs before there is something to compare it with.
void test_the_usual_one_loses_where_it_is_wrong() {
  const Tried got = tried({{"line", 0.1, kWrong}, {"lane", 9, kRight}, {"tile", 2, kRight}});
  TEST_ASSERT_EQUAL_STRING("lane tile ", got.right().c_str());
  TEST_ASSERT_EQUAL_STRING("tile", got.fastest().c_str());
  require_one_warning(got, "line");
}

void test_results_that_are_missing_are_wrong() {
  const Tried got = tried({{"lane", 9, kRight}, {"tile", 0.1, kShort}});
  TEST_ASSERT_EQUAL_STRING("lane ", got.right().c_str());
  require_one_warning(got, "tile");
}

void test_one_that_lacks_memory_may_run_another_time() {
  const Tried got = tried({{"lane", 9, kRight}, {"tile", 0.1, kRight, "no memory"}, {"gemv", 4, kRight}});
  TEST_ASSERT_EQUAL_STRING("lane gemv ", got.right().c_str());
  TEST_ASSERT_FALSE(got.tries.had_memory);
  TEST_ASSERT_EQUAL_size_t(0, got.warnings.size());
  TEST_ASSERT_EQUAL_size_t(1, got.infos.size());
}

void test_one_that_a_driver_refuses_fails_for_good() {
  const Tried got = tried({{"lane", 9, kRight}, {"tile", 0.1, kRight, "no such pipeline", DBK_INTERNAL}, {"gemv", 4, kRight}});
  TEST_ASSERT_EQUAL_STRING("lane gemv ", got.right().c_str());
  TEST_ASSERT_EQUAL_size_t(3, got.tries.tried);
  TEST_ASSERT_TRUE(got.tries.had_memory);
}

void test_nothing_begins_once_the_time_is_over() {
  TEST_ASSERT_EQUAL_STRING("",
                           tried({{"line", 3, kRight}, {"lane", 9, kRight}, {"tile", 2, kRight}}, 1).right().c_str());
  TEST_ASSERT_EQUAL_STRING("line lane ",
                           tried({{"line", 3, kRight}, {"lane", 9, kRight}, {"tile", 2, kRight}}, 2).right().c_str());
}

void test_a_reference_that_verifies_nothing() {
  try {
    tried({{"lane", 9, {{0, 0}}}, {"tile", 2, {{0, 0}}}});
  } catch (const dbk::Error& e) {
    return TEST_ASSERT_EQUAL_INT(DBK_FAILED_PRECONDITION, e.causes().front().code);
  }
  TEST_FAIL_MESSAGE("zeros were believed");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_right_ones_are_kept);
  RUN_TEST(test_a_wrong_one_loses_however_fast);
  RUN_TEST(test_the_usual_one_loses_where_it_is_wrong);
  RUN_TEST(test_results_that_are_missing_are_wrong);
  RUN_TEST(test_one_that_lacks_memory_may_run_another_time);
  RUN_TEST(test_one_that_a_driver_refuses_fails_for_good);
  RUN_TEST(test_nothing_begins_once_the_time_is_over);
  RUN_TEST(test_a_reference_that_verifies_nothing);
  return UNITY_END();
}
