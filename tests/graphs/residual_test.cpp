// Residual sums go into the normalisation behind them, and the sum is kept for whoever else reads it.
#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

struct Block {
  bool centred = true;       // LayerNormalization, else RMSNormalization
  bool bias = true;          // of the normalisation
  bool sum_is_read = true;   // by the next residual
  bool sum_is_output = false;
  Dims other{2, 5, 24};      // shape of the second operand
  int64_t axis = -1;
  Dims weight{24};
};

// Two operands that are no products: sums behind those are part of them.
void write(GraphBuilder& g, const Block& block, const daybreak::Shape& shape, const Floats& scale, const Floats& bias) {
  const Value x = g.input("x", DBK_F32, shape), other = g.input("other", DBK_F32, daybreak::Shape(block.other));
  const Value sum = g.node("Add", {x, other});
  std::vector<Value> inputs{sum, g.param("scale", std::span(scale), block.weight)};
  if (block.centred && block.bias) inputs.push_back(g.param("bias", std::span(bias), block.weight));
  const std::vector<daybreak::Attr> attrs{{"axis", block.axis}, {"epsilon", 1e-3f}};
  const Value norm = g.nodes(block.centred ? Op("LayerNormalization") : Op("RMSNormalization").in("", 23), inputs, attrs, {true})[0];
  g.output(g.node("Softmax", {norm}), "y");
  if (block.sum_is_read) g.output(g.node("Softmax", {sum}), "z");
  if (block.sum_is_output) g.output(sum, "kept");
}

Comparison compare_block(const Block& block, const Dims& dims = {2, 5, 24}) {
  const auto count = static_cast<size_t>(block.weight.product());
  const Floats scale = fractions(count, 1), bias = fractions(count, 2);
  return compare([&](GraphBuilder& g) { write(g, block, daybreak::Shape(dims), scale, bias); }, {dims, block.other});
}

void require_joined(const Comparison& result, bool centred, const char* what) {
  require_fused(result, centred ? "SkipLayerNormalization" : "SkipSimplifiedLayerNormalization", 1, what);
  require_equal(result.count("Add"), size_t{0}, what);
}

void require_apart(const Comparison& result, const char* what) {
  require_equal(result.count("SkipLayerNormalization") + result.count("SkipSimplifiedLayerNormalization"), size_t{0}, what);
  require_equal(result.count("Add"), size_t{1}, what);
}

void test_sum_is_kept() {
  for (const bool centred : {true, false}) {
    require_joined(compare_block({.centred = centred}), centred, "somebody else reads the sum");
    require_joined(compare_block({.centred = centred, .sum_is_output = true}), centred, "the sum is an output");
    require_joined(compare_block({.centred = centred, .sum_is_read = false}), centred, "nobody else reads the sum");
  }
  require_joined(compare_block({.bias = false}), true, "without a bias");
  require_joined(compare_block({.axis = 2}), true, "the last axis by its number");
}

void test_sums_that_stay() {
  require_apart(compare_block({.other = {1, 24}}), "the second operand broadcasts");
  require_apart(compare_block({.axis = 1, .weight = {5, 24}}), "over two axes");
  require_apart(compare_block({.weight = {1}}), "one weight for all");
}

// Extents that each run chooses: both operands have the same symbols, or not.
void test_open_extents() {
  const Floats scale = fractions(24, 1), bias = fractions(24, 2);
  for (const bool same : {true, false})
    for (const int64_t rows : {1, 7}) {
      const auto result = compare(
          [&](GraphBuilder& g) {
            const auto n = g.symbol("n", 1, 9), m = g.symbol("m", 1, 9);
            const Value x = g.input("x", DBK_F32, {n, 24}), other = g.input("other", DBK_F32, {same ? n : m, 24});
            const Value sum = g.node("Add", {x, other});
            g.output(g.node("LayerNormalization", {sum, g.param("scale", std::span(scale), {24}), g.param("bias", std::span(bias), {24})}), "y");
            g.output(g.node("Softmax", {sum}), "z");
          },
          {{rows, 24}, {same ? rows : 7, 24}});
      require_fused(result, "SkipLayerNormalization", same ? 1 : 0, same ? "the same symbol" : "two symbols");
    }
}

// A scale that is made of the sum itself: one node cannot give what it needs.
void test_scale_of_the_sum() {
  const auto result = compare(
      [&](GraphBuilder& g) {
        const Value sum = g.node("Add", {g.input<float>("x", {24}), g.input<float>("other", {24})});
        g.output(g.node("LayerNormalization", {sum, g.node("Softmax", {sum})}), "y");
      },
      {{24}, {24}});
  require_fused(result, "SkipLayerNormalization", 0, "the scale is no weight");
}

// Sums that have a cheaper place: behind a product, at the end of an element-wise chain.
void test_sums_that_belong_elsewhere() {
  const Floats w = fractions(24 * 24, 1), scale = fractions(24, 2);
  const auto product = compare(
      [&](GraphBuilder& g) {
        const Value x = g.input<float>("x", {5, 24});
        const Value sum = g.node("Add", {g.node("MatMul", {x, g.param("w", std::span(w), {24, 24})}), x});
        g.output(g.node("LayerNormalization", {sum, g.param("scale", std::span(scale), {24})}), "y");
        g.output(g.node("Softmax", {sum}), "z");
      },
      {{5, 24}});
  require_fused(product, "FusedMatMul", 1, "behind a product");
  require_fused(product, "LayerNormalization", 1, "behind a product");
  const auto chain = compare(
      [&](GraphBuilder& g) {
        const Value x = g.input<float>("x", {5, 24});
        const Value sum = g.node("Add", {g.node("Gelu", {x}), x});
        g.output(g.node("LayerNormalization", {sum, g.param("scale", std::span(scale), {24})}), "y");
      },
      {{5, 24}});
  require_fused(chain, "Elementwise", 1, "at the end of a chain");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "residual_test.cpp",
                   {GRAPH_TEST(test_sum_is_kept), GRAPH_TEST(test_sums_that_stay), GRAPH_TEST(test_open_extents),
                    GRAPH_TEST(test_scale_of_the_sum), GRAPH_TEST(test_sums_that_belong_elsewhere)});
}
