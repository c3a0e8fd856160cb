// The float versions of exp, tanh ... against libm in double, over a sample of all floats: errors within the rows'
// tolerances, and the same NaN and infinities.
#include "host_fallback/elementary.h"

#include <unity.h>

#include <bit>
#include <cmath>
#include <format>
#include <numbers>

#include "host_fallback/registry.h"
#include "tests/ops/float_type.h"

using namespace dbk;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

template <class F, class G>
void compare(const char* op, F fast, G exact) {
  const double epsilons = find_op("", op)->tolerance.cpu;
  const ops::FloatType type = ops::float_type(DBK_F32);
  for (uint64_t bits = 0; bits < 0x100000000u; bits += 4001) {
    const float x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    const double want = exact(static_cast<double>(x));
    const float got = fast(x);
    if (got == static_cast<float>(want) || (want != want && got != got)) continue;  // Unity makes isnan a macro
    const double off = std::fabs(static_cast<double>(got) - want);
    TEST_ASSERT_TRUE_MESSAGE(off <= epsilons * type.epsilon * std::fabs(want) + type.rounding(want),
                             std::format("{} of {} is {}, expected {}", op, x, got, want).c_str());
  }
}

void test_exp() {
  compare("Exp", [](float x) { return elementary::exp(x); }, [](double x) { return std::exp(x); });
}
void test_log() {
  compare("Log", [](float x) { return elementary::log(x); }, [](double x) { return std::log(x); });
}
void test_tanh() {
  compare("Tanh", [](float x) { return elementary::tanh(x); }, [](double x) { return std::tanh(x); });
}
void test_erf() {
  compare("Erf", [](float x) { return elementary::erf(x); }, [](double x) { return std::erf(x); });
}
void test_sigmoid() {
  compare("Sigmoid", [](float x) { return elementary::sigmoid(x); },
          [](double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); });
}
void test_gelu() {
  compare("Gelu", [](float x) { return elementary::gelu(x); },
          [](double x) { return 0.5 * x * std::erfc(-x * 0.70710678118654752440); });
  compare("Gelu", [](float x) { return elementary::gelu_tanh(x); },
          [](double x) { return x / (1 + std::exp(-std::sqrt(8 / std::numbers::pi) * (x + 0.044715 * x * x * x))); });
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
