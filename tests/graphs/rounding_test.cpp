// Chains whose result is what the roundings of their steps leave, or NaN: computed for real numbers they would be
// something else. A fused kernel must not take them for that.
#include <cmath>
#include <limits>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;

constexpr float kMagic = 12582912.0f;  // 1.5 * 2^23: x + kMagic - kMagic is x rounded to a whole number
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
const Floats kNumbers = {0.3f, 1.7f, -2.4f, 2.5f, 100.49f, kNan, kInfinity, -1.0f};

using Chain = Value (*)(GraphBuilder&, Value x);
using Formula = float (*)(float);

// Vectors of four, and as many as kernels of CPU adapters take at a time.
constexpr size_t kSizes[] = {8, 256};

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void require_each(const Floats& actual, const Floats& numbers, Formula formula) {
  for (size_t i = 0; i < actual.size(); ++i) {
    const float x = numbers[i % numbers.size()], expected = formula(x);
    require(same(actual[i], expected), "{} of {}: {}, not {}", i, x, actual[i], expected);
  }
}

void check(Chain chain, Formula formula) {
  for (size_t size : kSizes) {
    GraphBuilder g;
    const Dims dims{static_cast<int64_t>(size)};
    g.output(chain(g, g.input<float>("x", dims)), "y");
    auto exec = prepare(g);
    daybreak::Run run(exec);
    Floats numbers;
    while (numbers.size() < size) numbers.insert(numbers.end(), kNumbers.begin(), kNumbers.end());
    require_each(run_once(run, numbers, dims), numbers, formula);
  }
}

Value rounded(GraphBuilder& g, Value x) {
  const Value magic = g.scalar(kMagic);
  return g.node("Sub", {g.node("Add", {x, magic}), magic});
}

void test_rounds_to_whole_numbers() {
  check(rounded, [](float x) { return std::nearbyint(x); });
}

void test_sum_without_its_operand() {
  check([](GraphBuilder& g, Value x) { return g.node("Sub", {g.node("Add", {x, g.scalar(1.0f)}), x}); },
        [](float x) {
          const float sum = x + 1.0f;
          return sum - x;
        });
}

void test_error_of_a_sum() {
  check(
      [](GraphBuilder& g, Value x) {
        const Value big = g.scalar(1e5f), sum = g.node("Add", {x, big});
        return g.node("Sub", {x, g.node("Sub", {sum, big})});
      },
      [](float x) {
        const float sum = x + 1e5f;
        return x - (sum - 1e5f);
      });
}

float zero_of_finite(float x) { return std::isfinite(x) ? 0.0f : kNan; }

void test_difference_of_equals() {
  check(
      [](GraphBuilder& g, Value x) {
        const Value twice = g.node("Mul", {x, g.scalar(2.0f)});
        return g.node("Sub", {twice, twice});
      },
      zero_of_finite);
  check(
      [](GraphBuilder& g, Value x) {
        const Value negative = g.node("Neg", {x});
        return g.node("Mul", {g.node("Add", {x, negative}), g.scalar(2.0f)});
      },
      zero_of_finite);
  check([](GraphBuilder& g, Value x) { return g.node("Mul", {g.node("Sub", {x, x}), g.scalar(2.0f)}); },
        zero_of_finite);
}

void test_root_below_zero() {
  check(
      [](GraphBuilder& g, Value x) {
        const Value root = g.node("Sqrt", {x});
        return g.node("Cast", {g.node("IsNaN", {g.node("Mul", {root, root})})}, {{"to", 1}});
      },
      [](float x) { return std::isnan(x) || x < 0 ? 1.0f : 0.0f; });
}

const Floats kFractions = {0.25f, 1.75f, -2.25f, 2.5f, 100.75f, 3.5f, -0.75f, -1.0f};
constexpr int64_t kRows = 24, kColumns = 8;

Value identity(GraphBuilder& g, const Dims& dims) {
  Floats weight(kColumns * kColumns);
  for (size_t i = 0; i < kColumns; ++i) weight[i * (kColumns + 1)] = 1;
  return g.constant(std::span(weight), dims);
}

// `dims` hold kRows times the eight fractions, or these for each channel.
void check_product(Chain product, const Dims& dims, size_t repeated) {
  GraphBuilder g;
  g.output(rounded(g, product(g, g.input<float>("x", dims))), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  Floats numbers;
  while (numbers.size() < kRows * kColumns)
    numbers.insert(numbers.end(), repeated, kFractions[numbers.size() / repeated % kColumns]);
  const Floats actual = run_once(run, numbers, dims);
  for (size_t i = 0; i < actual.size(); ++i)
    require(actual[i] == std::nearbyint(numbers[i]), "{} of {}: {}", i, numbers[i], actual[i]);
}

void test_behind_products() {
  check_product([](GraphBuilder& g, Value x) { return g.node("MatMul", {x, identity(g, {kColumns, kColumns})}); },
                {kRows, kColumns}, 1);
  check_product([](GraphBuilder& g, Value x) { return g.node("Conv", {x, identity(g, {kColumns, kColumns, 1, 1})}); },
                {1, kColumns, 4, kRows / 4}, kRows);
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(
      argc, argv, "rounding_test.cpp",
      {GRAPH_TEST(test_rounds_to_whole_numbers), GRAPH_TEST(test_sum_without_its_operand),
       GRAPH_TEST(test_error_of_a_sum), GRAPH_TEST(test_difference_of_equals), GRAPH_TEST(test_root_below_zero),
       GRAPH_TEST(test_behind_products)});
}
