// Graphs that look like a pattern and are none: a value inside of it is an operand of it, too; extents that are swapped; types whose range
// a rewritten graph would leave.
#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;

void test_bias_is_the_matrix() {
  const auto build = [](GraphBuilder& g) {
    const Value turned = g.node("Transpose", {g.input<float>("x", {4, 4})});
    g.output(g.node("Gemm", {turned, g.input<float>("b", {4, 4}), turned}), "y");
  };
  compare(build, {{4, 4}, {4, 4}});
}

void test_bias_is_the_mean() {
  const auto build = [](GraphBuilder& g) {
    const Value x = g.input<float>("x", {64}), axes = g.constant<int64_t>({0});
    const Value mean = g.node("ReduceMean", {x, axes}), centred = g.node("Sub", {x, mean});
    const Value variance = g.node("ReduceMean", {g.node("Mul", {centred, centred}), axes});
    const Value root = g.node("Sqrt", {g.node("Add", {variance, g.scalar(1e-5f)})});
    g.output(g.node("Add", {g.node("Div", {centred, root}), mean}), "y");
  };
  compare(build, {{64}});
}

void test_mask_is_the_product() {
  const auto build = [](GraphBuilder& g) {
    const Value q = g.input<float>("q", {1, 2, 5, 8}), k = g.input<float>("k", {1, 2, 8, 5}), v = g.input<float>("v", {1, 2, 5, 8});
    const Value product = g.node("MatMul", {q, k});
    const Value scores = g.node("Add", {g.node("Mul", {product, g.scalar(0.25f)}), product});
    g.output(g.node("MatMul", {g.node("Softmax", {scores}, {{"axis", -1}}), v}), "y");
  };
  compare(build, {{1, 2, 5, 8}, {1, 2, 8, 5}, {1, 2, 5, 8}});
}

// The batch of the first operand changes places with its rows.
void test_swapped_batch() {
  const auto build = [](GraphBuilder& g) {
    const auto m = g.symbol("m", 1, 4), b = g.symbol("b", 1, 4);
    const Value a = g.input<float>("a", {m, b, 8}), w = g.input<float>("w", {8, 8}), v = g.input<float>("v", {m, b, 8});
    const Value y = g.node(daybreak::Op("FusedMatMul").in("com.microsoft"), {a, w}, {{"transBatchA", 1}});
    const Value z = g.node("Reshape", {v, g.node("Shape", {y})});
    g.output(z, "z");
    g.output(g.node("ReduceSum", {z, g.constant<int64_t>({0, 2})}), "sums");
  };
  const Comparison result = compare(build, {{2, 3, 8}, {8, 8}, {2, 3, 8}});
  require_equal(result.actual[1].size(), size_t{2}, "rows of what has the product's shape");
}

// Factors of BatchNormalization beyond 65504, where its results are not.
void test_factors_beyond_f16() {
  const auto half = [](GraphBuilder& g, Value v) { return g.node("Cast", {v}, {{"to", 10}}); };
  GraphBuilder g;
  const Value x = half(g, g.input<float>("x", {1, 1, 3}));
  const Value w = half(g, g.constant<float>({0x1p-10f}, Dims{1, 1, 1}));
  const Value one = half(g, g.constant<float>({1})), zero = half(g, g.constant<float>({0}));
  const Value y = g.node("BatchNormalization", {g.node("Conv", {x, w}), one, zero, zero, zero}, {{"epsilon", 0x1p-34f}});
  g.output(g.node("Cast", {y}, {{"to", 1}}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  require_same(run_once(run, {0.5f, 0.25f, -0.125f}, {1, 1, 3}), {64, 32, -16}, "normalised");
}

void test_bf16_batch_normalization() {
  const auto short_float = [](GraphBuilder& g, Value v) { return g.node("Cast", {v}, {{"to", 16}}); };
  GraphBuilder g(22);
  const Value x = short_float(g, g.input<float>("x", {1, 2, 3}));
  const Value w = short_float(g, g.constant<float>({1, 0, 0, 2}, Dims{2, 2, 1})), one = short_float(g, g.constant<float>({1, 1})),
              zero = short_float(g, g.constant<float>({0, 0}));
  g.output(g.node("Cast", {g.node("BatchNormalization", {g.node("Conv", {x, w}), one, zero, zero, one}, {{"epsilon", 0.0f}})}, {{"to", 1}}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  require_same(run_once(run, {1, 2, 3, 4, 5, 6}, {1, 2, 3}), {1, 2, 3, 8, 10, 12}, "normalised");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "traps_test.cpp",
                   {GRAPH_TEST(test_bias_is_the_matrix), GRAPH_TEST(test_bias_is_the_mean), GRAPH_TEST(test_mask_is_the_product),
                    GRAPH_TEST(test_swapped_batch), GRAPH_TEST(test_factors_beyond_f16), GRAPH_TEST(test_bf16_batch_normalization)});
}
