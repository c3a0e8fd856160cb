// What ops draw is random: the generator gives published numbers, samples have the moments of their distributions, and the seed decides.
#include <unity.h>

#include <cmath>
#include <numeric>

#include "host_fallback/philox.h"
#include "tests/host_ops/run_case.h"

using namespace dbk;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

constexpr int64_t kCount = 40000;

// Known answers of Random123 for Philox 4x32-10.
void test_published_numbers() {
  const Philox::Block zero = Philox(0).block(Philox::Block{});
  const Philox::Block expected{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  for (size_t i = 0; i < 4; ++i) TEST_ASSERT_EQUAL_HEX32(expected[i], zero[i]);
  const Philox::Block all = Philox(~uint64_t{0}).block(Philox::Block{~0u, ~0u, ~0u, ~0u});
  const Philox::Block other{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  for (size_t i = 0; i < 4; ++i) TEST_ASSERT_EQUAL_HEX32(other[i], all[i]);
}

Attributes attributes(std::vector<Attribute> list) {
  Attributes attrs;
  for (Attribute& a : list) attrs.set(a.name, a.value);
  return attrs;
}

std::vector<double> elements(const HostTensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.type.count(); ++i) values.push_back(test::element(tensor.view(), i));
  return values;
}

std::vector<double> drawn(const char* op, std::vector<Attribute> attrs, double seed) {
  attrs.push_back({"shape", std::vector<int64_t>{kCount}});
  attrs.push_back({"seed", seed});
  return elements(test::run_node(op, 20, attributes(std::move(attrs)), {}, 1).outputs[0]);
}

HostTensor filled(DType dtype, const Shape& shape, const std::vector<float>& values) {
  HostTensor tensor{{dtype, shape}, std::vector<std::byte>(static_cast<size_t>(shape.count()) * 4)};
  for (int64_t i = 0; i < shape.count(); ++i)
    reinterpret_cast<float*>(tensor.bytes.data())[i] = values[static_cast<size_t>(i) % values.size()];
  return tensor;
}

double mean(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }
double variance(const std::vector<double>& x) {
  const double m = mean(x);
  double sum = 0;
  for (double v : x) sum += (v - m) * (v - m);
  return sum / static_cast<double>(x.size());
}

// Within five standard deviations of the mean of so many.
void expect_moments(const std::vector<double>& x, double wanted_mean, double wanted_variance) {
  const double error = 5 * std::sqrt(wanted_variance / static_cast<double>(x.size()));
  TEST_ASSERT_DOUBLE_WITHIN(error, wanted_mean, mean(x));
  TEST_ASSERT_DOUBLE_WITHIN(0.05 * wanted_variance, wanted_variance, variance(x));
  double neighbours = 0;  // correlation
  for (size_t i = 1; i < x.size(); ++i) neighbours += (x[i] - wanted_mean) * (x[i - 1] - wanted_mean);
  TEST_ASSERT_DOUBLE_WITHIN(5 / std::sqrt(static_cast<double>(x.size())), 0, neighbours / (wanted_variance * static_cast<double>(x.size())));
}

void test_uniform() {
  for (int64_t dtype : {1, 10, 11}) {
    const std::vector<double> x = drawn("RandomUniform", {{"low", -1.0}, {"high", 3.0}, {"dtype", dtype}}, 1);
    expect_moments(x, 1, 16.0 / 12);
    for (double v : x) TEST_ASSERT_TRUE(v >= -1 && v < 3);
  }
}

void test_normal() {
  const std::vector<double> x = drawn("RandomNormal", {{"mean", 2.0}, {"scale", 0.5}}, 7);
  expect_moments(x, 2, 0.25);
  const auto beyond = [&](double sigmas) { return static_cast<double>(std::ranges::count_if(x, [&](double v) { return std::fabs(v - 2) > 0.5 * sigmas; })) / kCount; };
  TEST_ASSERT_DOUBLE_WITHIN(0.012, 0.3173, beyond(1));
  TEST_ASSERT_DOUBLE_WITHIN(0.006, 0.0455, beyond(2));
}

void test_seeds_decide() {
  const std::vector<double> one = drawn("RandomNormal", {}, 1), again = drawn("RandomNormal", {}, 1), two = drawn("RandomNormal", {}, 2);
  TEST_ASSERT_TRUE(one == again);
  TEST_ASSERT_FALSE(one == two);
}

void test_bernoulli() {
  const auto run = test::run_node("Bernoulli", 15, attributes({{"seed", 3.0}}), {filled(DBK_F32, {kCount}, {0.3f})}, 1);
  const std::vector<double> x = elements(run.outputs[0]);
  for (double v : x) TEST_ASSERT_TRUE(v == 0 || v == 1);
  expect_moments(x, 0.3, 0.21);
}

void test_multinomial() {
  const float logs[] = {std::log(0.5f), std::log(0.3f), std::log(0.2f)};
  const auto run = test::run_node("Multinomial", 7, attributes({{"seed", 5.0}, {"sample_size", kCount}}), {filled(DBK_F32, {1, 3}, {logs[0], logs[1], logs[2]})}, 1);
  std::array<double, 3> share{};
  for (double v : elements(run.outputs[0])) share.at(static_cast<size_t>(v)) += 1.0 / kCount;
  TEST_ASSERT_DOUBLE_WITHIN(0.0125, 0.5, share[0]);
  TEST_ASSERT_DOUBLE_WITHIN(0.0125, 0.3, share[1]);
  TEST_ASSERT_DOUBLE_WITHIN(0.0125, 0.2, share[2]);
}

void test_dropout() {
  HostTensor training{{DBK_BOOL, {}}, {std::byte{1}}};
  const auto run = test::run_node("Dropout", 13, attributes({{"seed", int64_t{5}}}), {filled(DBK_F32, {kCount}, {3.0f}), filled(DBK_F32, {}, {0.25f}), training}, 2);
  const std::vector<double> y = elements(run.outputs[0]), mask = elements(run.outputs[1]);
  for (size_t i = 0; i < y.size(); ++i) TEST_ASSERT_EQUAL_DOUBLE(mask[i] * 4, y[i]);
  expect_moments(mask, 0.75, 0.1875);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_published_numbers);
  RUN_TEST(test_uniform);
  RUN_TEST(test_normal);
  RUN_TEST(test_seeds_decide);
  RUN_TEST(test_bernoulli);
  RUN_TEST(test_multinomial);
  RUN_TEST(test_dropout);
  return UNITY_END();
}
