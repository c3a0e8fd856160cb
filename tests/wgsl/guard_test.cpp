// The precision guard's verdicts on weights that are made for it, without a device.
#include <unity.h>

#include <cmath>
#include <ctime>
#include <random>

#include "plugin/gpu/families/precision_guard.h"
#include "tests/expect.h"

using namespace dbk;
using namespace dbk::gpu;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

// A weight of `depth` rows and `columns` columns, as MatMul has it.
struct Weight {
  int64_t depth, columns;
  std::vector<float> numbers;

  template <class F>
  Weight(int64_t k, int64_t n, F number) : depth(k), columns(n) {
    for (int64_t i = 0; i < k * n; ++i) numbers.push_back(number(i));
  }
  PrecisionVerdict judged(const Controls& controls = {}, bool sums = false) const {
    return judge({1, DBK_F32, 1, columns, depth, 1, columns, sums}, std::as_bytes(std::span(numbers)).data(), controls);
  }
  PrecisionVerdict judged_transposed() const {
    return judge({1, DBK_F32, 1, depth, columns, columns, 1, false}, std::as_bytes(std::span(numbers)).data(), {});
  }
};

Weight noise(int64_t k, int64_t n, float size = 1) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  return {k, n, [&](int64_t) { return normal(random) * size; }};
}

void says(const PrecisionVerdict& v, const char* part) { expect(v.told.find(part) != std::string::npos, "no '" + std::string(part) + "' in: " + v.told); }

void test_noise_passes() {
  for (const float size : {1.0f, 1e-30f, 3e30f, 4e-38f, 5e37f}) {  // scales bring every size into the range of f16
    const PrecisionVerdict v = noise(384, 100, size).judged();
    expect(v.operands && v.finite && v.vanishing == 0, v.told);
    expect(v.error > 1e-6 && v.error < 0x1p-10, v.told);
    expect(std::fabs(v.oscillation - std::sqrt(2.0)) < 0.02, v.told);
    says(v, "lets the weight be f16");
  }
  const PrecisionVerdict across = noise(384, 100).judged_transposed();
  expect(across.operands && across.error < 0x1p-10, across.told);
}

void test_the_same_bytes_get_the_same_verdict() {
  const Weight w = noise(100, 37);
  TEST_ASSERT_EQUAL_STRING(w.judged({}, true).told.c_str(), w.judged({}, true).told.c_str());
}

void test_threshold() {
  Controls strict;
  strict.precision_threshold = 1e-6;
  const PrecisionVerdict v = noise(384, 64).judged(strict);
  expect(!v.operands && !v.sums, v.told);
  says(v, "precision_threshold=1e-06");
  const Weight exact(64, 32, [](int64_t i) { return static_cast<float>(i % 5); });
  expect(exact.judged().error < 0x1p-10, "whole numbers");  // rows are not
}

void test_what_is_not_finite() {
  for (const float odd : {NAN, INFINITY, -INFINITY}) {
    Weight w = noise(64, 40);
    w.numbers[1234] = odd;
    const PrecisionVerdict v = w.judged();
    expect(!v.operands && !v.finite, v.told);
    says(v, "not finite");
  }
}

// The error is small beside the norm of a column with one huge element, and yet the others are gone.
void test_what_vanishes() {
  Weight w = noise(64, 40);
  for (size_t c = 0; c < 40; ++c) w.numbers[c] = 1e16f;
  const PrecisionVerdict v = w.judged();
  expect(!v.operands && v.error < 2e-3 && v.vanishing > 0.9, v.told);
  Weight sparse = noise(64, 40);
  for (size_t i = 0; i < sparse.numbers.size(); ++i)
    if (i % 3) sparse.numbers[i] = 0;
  expect(sparse.judged().vanishing == 0, "zeros do not vanish");
}

// Sums of one sign outgrow f16's digits where those of both signs do not get far.
void test_sums() {
  const Weight one_sign(4096, 16, [](int64_t i) { return 0.5f + 0.1f * static_cast<float>(i % 7); });
  const PrecisionVerdict bad = one_sign.judged({}, true);
  expect(bad.operands && !bad.sums && bad.error_of_sums > 2e-3, bad.told);
  says(bad, "keeps sums out of f16");
  const PrecisionVerdict good = noise(32, 16).judged({}, true);
  expect(good.operands && good.sums && good.error_of_sums > good.error, good.told);
}

void test_oscillation() {
  Controls gate;
  gate.oscillation_gate = 0.35;
  const PrecisionVerdict rough = noise(64, 64).judged(gate);
  expect(!rough.operands, rough.told);
  says(rough, "oscillation_gate=0.35");
  const Weight smooth(64, 64, [](int64_t i) { return std::sin(static_cast<float>(i) * 0.01f) + 2; });
  const PrecisionVerdict calm = smooth.judged(gate);
  expect(calm.operands && calm.oscillation < 0.35, calm.told);
}

void test_odd_extents() {
  for (const auto& [k, n] : {std::pair{0, 5}, {5, 0}, {1, 1}, {1, 1000}, {1000, 1}, {70000, 3}, {200000, 1}}) {
    const PrecisionVerdict v = noise(k, n).judged({}, true);
    expect(v.operands, std::format("{} x {}: {}", k, n, v.told));
  }
}

// Samples do not grow with the weight: 16 times as many elements may take longer by what caches and pages cost, not 16 times.
void test_time_is_bounded() {
  const auto time = [](const Weight& w) {  // of the processor, in milliseconds
    const std::clock_t start = std::clock();
    w.judged({}, true);
    return static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC;
  };
  const auto cheap = [](int64_t i) { return static_cast<float>(i % 1021) - 510; };
  const Weight large(1024, 2048, cheap), larger(8192, 4096, cheap);
  double most = 1e9, few = 1e9;
  for (int i = 0; i < 3; ++i) few = std::min(few, time(large)), most = std::min(most, time(larger));
  std::printf("2 Mi elements: %.2f ms, 32 Mi: %.2f ms\n", few, most);
  expect(most < 4 * few + 5, "the time grows with the weight");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_noise_passes);
  RUN_TEST(test_the_same_bytes_get_the_same_verdict);
  RUN_TEST(test_threshold);
  RUN_TEST(test_what_is_not_finite);
  RUN_TEST(test_what_vanishes);
  RUN_TEST(test_sums);
  RUN_TEST(test_oscillation);
  RUN_TEST(test_odd_extents);
  RUN_TEST(test_time_is_bounded);
  return UNITY_END();
}
