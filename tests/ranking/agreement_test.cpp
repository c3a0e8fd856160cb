// What a kernel's results are compared by while kernels are measured: numbers that tell wrong results from right ones, whatever the length
// of sums, and a comparison that sees them.
#include "plugin/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host_fallback/expression.h"
#include "plugin/probe_numbers.h"

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

namespace {

using dbk::DType, dbk::Numbers, dbk::Sums;

constexpr int64_t kRows = 9, kColumns = 17;
constexpr int64_t kDepths[] = {1, 2, 33, 1024, 4096, 65536};

// y = A B.
dbk::Graph product_graph() {
  dbk::Graph graph;
  graph.values.resize(3);
  graph.blocks.emplace_back();
  dbk::Node node;
  node.inputs = {0, 1}, node.outputs = {2};
  graph.main().nodes.push_back(node);
  return graph;
}

std::vector<float> operand(dbk::ValueId value, DType dtype, int64_t rows, int64_t columns, const Sums& sums) {
  const dbk::TensorType type{dtype, dbk::Shape({rows, columns})};
  return dbk::numbers_of(dbk::probe_numbers(type, value, sized_vectors(product_graph(), value, sums)), dtype).list;
}

float rounded(double x, DType dtype) { return dtype == DBK_F16 ? float(dbk::Half::from_double(x)) : static_cast<float>(x); }

// Rows and columns of numbers that a product is made of.
struct Product {
  DType dtype;
  int64_t depth;
  Sums sums{depth, 1, kColumns, true};
  std::vector<float> a = operand(0, dtype, kRows, depth, sums), b = operand(1, dtype, depth, kColumns, sums);

  std::vector<double> sums_of_all = sums_to(depth), sums_but_one = sums_to(depth - 1);  // steps of k

  double term(int64_t row, int64_t column, int64_t k) const { return double{a[size_t(row * depth + k)]} * b[size_t(k * kColumns + column)]; }

  std::vector<double> sums_to(int64_t taken) const {
    std::vector<double> list(size_t(kRows * kColumns));
    for (int64_t i = 0; i < kRows * kColumns; ++i)
      for (int64_t k = 0; k < taken; ++k) list[size_t(i)] += term(i / kColumns, i % kColumns, k);
    return list;
  }
  // Each sum becomes finish(row, column, sum).
  template <class F>
  std::vector<Numbers> results(const std::vector<double>& from, F&& finish) const {
    Numbers c{dtype, {}};
    for (int64_t i = 0; i < kRows * kColumns; ++i) c.list.push_back(rounded(finish(i / kColumns, i % kColumns, from[size_t(i)]), dtype));
    return {c};
  }
  std::vector<Numbers> right() const { return results(sums_of_all, as_it_is); }
  std::vector<Numbers> without_last_step() const { return results(sums_but_one, as_it_is); }

  static double as_it_is(int64_t, int64_t, double sum) { return sum; }
};

// Of y = A B as nodes of such a family have it, with a kernel forced.
Sums sums_of_node(std::string_view family, const std::vector<int64_t>& a, const std::vector<int64_t>& b, const dbk::Attributes& attrs = {}, bool forced = true) {
  dbk::OpRow op{};
  op.family = family;
  dbk::Graph graph = product_graph();
  if (forced) graph.product_kernel = "lane 1x1";
  graph.values[0].dims = a, graph.values[1].dims = b;
  graph.main().nodes[0].op = &op, graph.main().nodes[0].attrs = attrs;
  return dbk::sums_of(graph);
}

dbk::Attributes gemm(int64_t across_a, int64_t along_b, double alpha) {
  dbk::Attributes attrs;
  attrs.set("transA", across_a), attrs.set("transB", along_b), attrs.set("alpha", alpha);
  return attrs;
}

double row_size(int64_t row) { return std::ldexp(1.0, -static_cast<int>(row % dbk::kRowSizes)); }
double column_size(int64_t column) { return std::ldexp(1.0, -static_cast<int>(column % dbk::kColumnSizes)); }

// With and without an epilogue.
template <class F>
void for_all(F&& f) {
  for (const DType dtype : {DBK_F32, DBK_F16})
    for (const int64_t depth : kDepths) {
      const Product product{dtype, depth};
      const std::vector<Numbers> right = product.right();
      for (const bool alone : {true, false}) {
        Sums sums = product.sums;
        sums.alone = alone;
        f(product, right, sums, std::format("{} k={} {}", dtype == DBK_F16 ? "f16" : "f32", depth, alone ? "alone" : "with an epilogue"));
      }
    }
}

void test_sizes_of_rows_and_columns() {
  const Product product{DBK_F16, 33};
  for (int64_t k = 0; k < 33; ++k) {
    for (int64_t row = 0; row < kRows; ++row) TEST_ASSERT_EQUAL_DOUBLE(row_size(row), std::fabs(product.a[size_t(row * 33 + k)]));
    for (int64_t column = 0; column < kColumns; ++column) TEST_ASSERT_EQUAL_DOUBLE(column_size(column), std::fabs(product.b[size_t(k * kColumns + column)]));
  }
  const Sums transposed{33, kRows, 1, true};
  const std::vector<float> a = operand(0, DBK_F32, 33, kRows, transposed), b = operand(1, DBK_F32, kColumns, 33, transposed);
  for (int64_t i = 0; i < 33 * kRows; ++i) TEST_ASSERT_EQUAL_DOUBLE(row_size(i % kRows), std::fabs(a[size_t(i)]));
  for (int64_t i = 0; i < 33 * kColumns; ++i) TEST_ASSERT_EQUAL_DOUBLE(column_size(i / 33), std::fabs(b[size_t(i)]));
}

void check(const Sums& sums, int64_t terms, int64_t a_step, int64_t b_step, bool alone) {
  TEST_ASSERT_EQUAL_INT64(terms, sums.terms);
  TEST_ASSERT_EQUAL_INT64(a_step, sums.a_step);
  TEST_ASSERT_EQUAL_INT64(b_step, sums.b_step);
  TEST_ASSERT_EQUAL(alone, sums.alone);
}

void test_sums_of_nodes() {
  check(sums_of_node("matmul", {2, 3, 5}, {2, 5, 7}), 5, 1, 7, true);
  check(sums_of_node("matmul", {5}, {5}), 5, 1, 1, true);
  check(sums_of_node("gemm", {3, 5}, {5, 7}, gemm(0, 0, 1)), 5, 1, 7, true);
  check(sums_of_node("gemm", {5, 3}, {7, 5}, gemm(1, 1, 1)), 5, 3, 1, true);
  check(sums_of_node("gemm", {3, 5}, {5, 7}, gemm(0, 0, 0.5)), 5, 1, 7, false);
  check(sums_of_node("attention", {3, 5}, {5, 7}), 0, 1, 1, false);
  check(sums_of_node("matmul", {3, 5}, {5, 7}, {}, /*forced=*/false), 0, 1, 1, false);
}

// A cast rounds an exact sum as every kernel does; what else is behind it may round otherwise.
void test_sums_with_an_epilogue() {
  const auto behind = [](std::initializer_list<const char*> ops) {
    auto e = std::make_shared<dbk::Expression>();
    for (const char* op : ops) e->steps.push_back({dbk::find_op("", op), {}, 13, {}, op});
    dbk::Attributes attrs;
    attrs.set("expression", std::shared_ptr<const dbk::Expression>(std::move(e)));
    return attrs;
  };
  check(sums_of_node("matmul", {3, 5}, {5, 7}, behind({"Cast"})), 5, 1, 7, true);
  check(sums_of_node("matmul", {3, 5}, {5, 7}, behind({"Exp", "Cast"})), 5, 1, 7, false);
}

void test_sums_in_f16_are_exact_in_every_order() {
  const Product product{DBK_F16, dbk::kMostExactTerms};
  const Numbers right = product.right()[0];
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t column = 0; column < kColumns; ++column) {
      dbk::Half forward(0), backward(0), apart(0);
      const auto add = [&](dbk::Half& sum, int64_t k) { sum = dbk::Half::from_double(double{float(sum)} + product.term(row, column, k)); };
      for (int64_t k = 0; k < product.depth; ++k) add(forward, k), add(backward, product.depth - 1 - k), add(apart, k * 40503 % product.depth);
      for (const float sum : {float(forward), float(backward), float(apart)}) TEST_ASSERT_EQUAL_FLOAT(right.list[size_t(row * kColumns + column)], sum);
    }
}

void test_equal_results_agree() {
  for_all([](const Product&, const std::vector<Numbers>& right, const Sums& sums, const std::string& what) {
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", dbk::refuse_reference(right).c_str(), what.c_str());
    TEST_ASSERT_TRUE_MESSAGE(agree(right, right, sums), what.c_str());
  });
}

void test_an_epilogue_may_round_otherwise() {
  for_all([](const Product&, const std::vector<Numbers>& right, const Sums& sums, const std::string& what) {
    std::vector<Numbers> other = right;
    for (float& x : other[0].list) x = rounded(x * (1 + std::ldexp(1.0, sums.alone ? -8 : right[0].dtype == DBK_F16 ? -10 : -23)), right[0].dtype);
    TEST_ASSERT_EQUAL_MESSAGE(!sums.alone, agree(right, other, sums), what.c_str());
  });
}

void test_a_lost_step_of_k() {
  for_all([](const Product& product, const std::vector<Numbers>& right, const Sums& sums, const std::string& what) {
    TEST_ASSERT_FALSE_MESSAGE(agree(right, product.without_last_step(), sums), what.c_str());
  });
}

void test_the_size_of_another_row_or_column() {
  for_all([](const Product& product, const std::vector<Numbers>& right, const Sums& sums, const std::string& what) {
    for (const int64_t away : {1, 2, 4, 8, 16, 32, 64, 128}) {
      const auto other_row = [&](int64_t row, int64_t, double sum) { return sum / row_size(row) * row_size(row + away); };
      const auto other_column = [&](int64_t, int64_t column, double sum) { return sum / column_size(column) * column_size(column + away); };
      TEST_ASSERT_FALSE_MESSAGE(agree(right, product.results(product.sums_of_all, other_row), sums), std::format("{}, {} rows away", what, away).c_str());
      TEST_ASSERT_FALSE_MESSAGE(agree(right, product.results(product.sums_of_all, other_column), sums), std::format("{}, {} columns away", what, away).c_str());
    }
    const auto swapped = [](int64_t row, int64_t column, double sum) { return sum / row_size(row) / column_size(column) * row_size(column) * column_size(row); };
    TEST_ASSERT_FALSE_MESSAGE(agree(right, product.results(product.sums_of_all, swapped), sums), what.c_str());
  });
}

void test_longer_sums_in_f16() {
  const Sums sums{10 * dbk::kMostExactTerms, 1, 1, true};
  const auto one = [](float x) { return std::vector<Numbers>{{DBK_F16, {x, 4096}}}; };
  TEST_ASSERT_TRUE(agree(one(4096), one(4100), sums));
  TEST_ASSERT_FALSE(agree(one(4096), one(4104), sums));
  TEST_ASSERT_FALSE(agree(one(100), one(101), sums));
}

void test_what_is_not_finite() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  for_all([](const Product&, const std::vector<Numbers>& right, const Sums& sums, const std::string& what) {
    for (const float x : {kNan, kInfinity}) {
      std::vector<Numbers> wrong = right;
      wrong[0].list[1] = x;
      TEST_ASSERT_FALSE_MESSAGE(agree(right, wrong, sums), what.c_str());
      TEST_ASSERT_FALSE_MESSAGE(agree(wrong, right, sums), what.c_str());
      TEST_ASSERT_TRUE_MESSAGE(agree(wrong, wrong, sums), what.c_str());
      std::ranges::fill(wrong[0].list, x);
      TEST_ASSERT_FALSE_MESSAGE(agree(right, wrong, sums), what.c_str());
      TEST_ASSERT_FALSE_MESSAGE(dbk::refuse_reference(wrong).empty(), what.c_str());
    }
  });
}

void test_references_that_verify_nothing() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto refused = [](std::vector<float> list) { return !dbk::refuse_reference({{DBK_F32, std::move(list)}}).empty(); };
  TEST_ASSERT_TRUE(refused({0, 0, 0}));
  TEST_ASSERT_TRUE(refused({0, kNan, 0}));
  TEST_ASSERT_TRUE(refused({1, kNan, kNan}));
  TEST_ASSERT_FALSE(refused({1, 0, kNan}));
  TEST_ASSERT_FALSE(refused({0, 0, 1}));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_sizes_of_rows_and_columns);
  RUN_TEST(test_sums_of_nodes);
  RUN_TEST(test_sums_with_an_epilogue);
  RUN_TEST(test_sums_in_f16_are_exact_in_every_order);
  RUN_TEST(test_equal_results_agree);
  RUN_TEST(test_an_epilogue_may_round_otherwise);
  RUN_TEST(test_a_lost_step_of_k);
  RUN_TEST(test_the_size_of_another_row_or_column);
  RUN_TEST(test_longer_sums_in_f16);
  RUN_TEST(test_what_is_not_finite);
  RUN_TEST(test_references_that_verify_nothing);
  return UNITY_END();
}
