// Convolutions with an ending: what is behind one (a residual, a factor per channel, a number, an activation) becomes part of it. Each kind of
// operand, one or several, for results whose sums lie where they go and for others; with the same results as node by node. `fast` devices of
// software GPUs have kernels of their own for these sizes.
#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

bool fast = false;

struct Geometry {
  Dims x, w, y;
  std::vector<int64_t> pads{}, strides{};
  int64_t group = 1;
};

const std::vector<Geometry>& geometries() {
  static const std::vector<Geometry> list{
      // Rows of whole vectors: 1x1, 3x3, with groups, one channel each, every second element, one result channel, three axes.
      {{2, 16, 8, 16}, {36, 16, 1, 1}, {2, 36, 8, 16}},
      {{2, 7, 16, 16}, {21, 7, 3, 3}, {2, 21, 16, 16}, {1, 1, 1, 1}},
      {{1, 12, 9, 20}, {24, 6, 3, 5}, {1, 24, 9, 20}, {1, 2, 1, 2}, {}, 2},
      {{1, 24, 21, 44}, {24, 1, 3, 3}, {1, 24, 21, 44}, {1, 1, 1, 1}, {}, 24},
      {{1, 5, 40, 40}, {10, 5, 3, 3}, {1, 10, 20, 20}, {1, 1, 1, 1}, {2, 2}},
      {{1, 40, 30, 36}, {1, 40, 3, 3}, {1, 1, 30, 36}, {1, 1, 1, 1}},
      {{1, 7, 6, 8, 24}, {6, 7, 3, 3, 3}, {1, 6, 6, 8, 24}, {1, 1, 1, 1, 1, 1}},
      // Others, whose sums lie elsewhere; and one too small for all that.
      {{2, 16, 15, 17}, {18, 16, 1, 1}, {2, 18, 15, 17}},
      {{2, 16, 301}, {20, 16, 7}, {2, 20, 295}},
      {{1, 3, 5, 5}, {4, 3, 3, 3}, {1, 4, 3, 3}}};
  return list;
}

struct Ending {
  const char* name;
  bool bias, residual, gate, column, single;
  const char* activation;  // null: none
};

constexpr Ending kEndings[] = {{"an activation", true, false, false, false, false, "Relu"},
                               {"a number", false, false, false, false, true, nullptr},
                               {"a factor per channel", true, false, false, true, false, nullptr},
                               {"a residual", false, true, false, false, false, nullptr},
                               {"a factor per element", true, false, true, false, false, "Sigmoid"},
                               {"a factor per channel and a number", false, false, false, true, true, "Tanh"},
                               {"all of them", true, true, false, true, true, "Relu"},
                               {"all of them, and without a bias", false, true, true, true, true, "Gelu"}};

size_t elements(const Dims& dims) { return static_cast<size_t>(dims.product()); }

struct Weights {
  Floats w, bias, column;
  Weights(const Geometry& g, uint32_t seed)
      : w(fractions(elements(g.w), seed)), bias(fractions(static_cast<size_t>(g.w[0]), seed + 1)), column(fractions(static_cast<size_t>(g.w[0]), seed + 2)) {}
};

void write(GraphBuilder& g, const Geometry& form, const Ending& ending, const Weights& weights, bool product_out) {
  const Value x = g.input("x", DBK_F32, daybreak::Shape(form.x)), residual = g.input("residual", DBK_F32, daybreak::Shape(form.y));
  std::vector<Value> inputs{x, g.param("w", std::span(weights.w), form.w)};
  if (ending.bias) inputs.push_back(g.param("bias", std::span(weights.bias), {form.w[0]}));
  std::vector<daybreak::Attr> attrs{{"group", form.group}};
  if (!form.pads.empty()) attrs.push_back({"pads", form.pads});
  if (!form.strides.empty()) attrs.push_back({"strides", form.strides});
  Value y = g.nodes(Op("Conv").named("conv"), inputs, attrs, {true})[0];
  if (product_out) g.output(y, "product");
  Dims along{form.w[0]};
  while (along.size() + 1 < form.y.size()) along.push_back(1);
  if (ending.column) y = g.node("Mul", {y, g.param("column", std::span(weights.column), along)});
  if (ending.residual) y = g.node("Add", {residual, y});
  if (ending.gate) y = g.node("Mul", {y, g.node("Neg", {residual})});
  if (ending.single) y = g.node("Mul", {y, g.scalar(0.75f)});
  if (ending.activation) y = g.node(ending.activation, {y});
  g.output(y, "y");
  if (!ending.residual && !ending.gate) g.output(g.node("Abs", {residual}), "unused");
}

// Sums go on from program to program; in front of them, padded rows or parts of rows are stored by themselves.
bool is_line(const std::string& kernel) { return kernel.find("line") != std::string::npos || kernel.find("spread") != std::string::npos; }

// On a software GPU without bounds checks, the kernels that are meant are those that ran.
void require_line(const Comparison& result, const Geometry& form) {
  if (!fast || device().kind != DBK_DEVICE_SOFTWARE_GPU || &form == &geometries().back()) return;
  for (const auto& node : result.placement.at("nodes"))
    if (node.at("op") == "FusedConv")
      require(is_line(node.at("kernel")), "the kernel is {}", std::string(node.at("kernel")));
}

void test_endings() {
  uint32_t seed = 1;
  for (const Geometry& form : geometries())
    for (const Ending& ending : kEndings) {
      const Weights weights(form, seed += 10);
      const auto result = compare([&](GraphBuilder& g) { write(g, form, ending, weights, false); }, {form.x, form.y});
      require_fused(result, "FusedConv", 1, ending.name);
      require_equal(result.count("Conv"), size_t{0}, "convolutions that are left alone");
      require_line(result, form);
    }
}

// Somebody else sees the product: nothing becomes part of it.
void test_products_that_are_outputs() {
  for (size_t i : {0u, 1u, 7u}) {
    const Geometry& form = geometries()[i];
    const Weights weights(form, 7);
    const auto result = compare([&](GraphBuilder& g) { write(g, form, kEndings[6], weights, true); }, {form.x, form.y});
    require_fused(result, "FusedConv", 0, "the product is an output");
  }
}

}  // namespace

int main(int argc, char** argv) {
  fast = argc > 1 && std::string_view(argv[1]) == "fast";
  return run_tests(argc, argv, "convolution_test.cpp", {GRAPH_TEST(test_endings), GRAPH_TEST(test_products_that_are_outputs)});
}
