// The float versions of exp, tanh ... against libm in double, over a sample of all floats: errors in units in the last
// place, and the same NaN and infinities.
#include "host_fallback/elementary.h"

#include <unity.h>

#include <bit>
#include <cmath>
#include <format>

using namespace dbk;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

template <class F, class G>
void compare(F fast, G exact, double allowed) {
  for (uint64_t bits = 0; bits < 0x100000000u; bits += 4001) {
    const float x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    const double want = exact(static_cast<double>(x));
    const float got = fast(x), rounded = static_cast<float>(want);
    if (got == rounded || (want != want && got != got)) continue;  // Unity makes isnan a macro
    // Below the normal range a relative error means nothing; there one unit is that of the smallest normal number.
    const double unit = std::ldexp(1.0, std::max(std::ilogb(rounded), -126) - 23);
    const double off = std::fabs(static_cast<double>(got) - want) / unit;
    TEST_ASSERT_TRUE_MESSAGE(off <= allowed,
                             std::format("f({}) is {}, expected {}: {} units", x, got, want, off).c_str());
  }
}

void test_exp() {
  compare([](float x) { return elementary::exp(x); }, [](double x) { return std::exp(x); }, 2);
}
void test_log() {
  compare([](float x) { return elementary::log(x); }, [](double x) { return std::log(x); }, 2);
}
void test_tanh() {
  compare([](float x) { return elementary::tanh(x); }, [](double x) { return std::tanh(x); }, 2);
}
void test_erf() {
  compare([](float x) { return elementary::erf(x); }, [](double x) { return std::erf(x); }, 3);
}
void test_sigmoid() {
  compare([](float x) { return elementary::sigmoid(x); },
          [](double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }, 3);
}
void test_gelu() {
  auto exact = [](double x) { return x < -12 ? -0.0 : 0.5 * x * std::erfc(-x * std::sqrt(0.5)); };
  compare([](float x) { return x < -12 ? -0.0f : elementary::gelu(x); }, exact, 8);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_exp);
  RUN_TEST(test_log);
  RUN_TEST(test_tanh);
  RUN_TEST(test_erf);
  RUN_TEST(test_sigmoid);
  RUN_TEST(test_gelu);
  return UNITY_END();
}
