// Passes inside If, Loop and Scan: formulas and chains in bodies become one node as elsewhere, values that leave the body stay, and the
// results are those of the graph as given.
#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

constexpr int64_t kBool = 9;

Value truth(GraphBuilder& g) {
  const std::vector<uint8_t> yes{1};
  return g.constant(DBK_BOOL, Dims{}, std::as_bytes(std::span(yes)));
}

// A condition that only the run knows.
Value any(GraphBuilder& g, Value x) { return g.node("Cast", {g.node("ReduceMax", {x}, {{"keepdims", 0}})}, {{"to", kBool}}); }

Value gelu(GraphBuilder& g, Value x) {
  const Value erf = g.node("Erf", {g.node("Div", {x, g.scalar(1.41421356f)})});
  return g.node("Mul", {g.node("Mul", {x, g.node("Add", {erf, g.scalar(1.0f)})}), g.scalar(0.5f)});
}

void test_branches() {
  const Floats w = fractions(8 * 6, 1), b = fractions(6, 2);
  for (const float sign : {1.0f, 0.0f}) {
    Floats input = fractions(3 * 8, 3);
    for (float& v : input) v *= sign;
    const auto result = compare(
        [&](GraphBuilder& g) {
          const Value x = g.input<float>("x", {3, 8}), weight = g.param("w", std::span(w), {8, 6}), bias = g.param("b", std::span(b), {6});
          const auto then = g.body("then", [&] { g.output(gelu(g, g.node("Add", {g.node("MatMul", {x, weight}), bias}))); });
          const auto otherwise = g.body("else", [&] { g.output(g.node("Sub", {g.node("Exp", {g.node("MatMul", {x, weight})}), bias})); });
          g.output(g.node("If", {any(g, x)}, {{"then_branch", then}, {"else_branch", otherwise}}), "y");
        },
        {{3, 8}}, {input});
    require_fused(result, "FusedMatMul", 2, "both branches");
    require_equal(result.count("Erf") + result.count("Add") + result.count("Exp") + result.count("Sub"), size_t{0}, "nodes that are left");
  }
}

// state' = tanh(state w + x) with the slices of another chain; the state declares its shape.
void write_loop(GraphBuilder& g, const Floats& w, const daybreak::Shape& state_shape, bool inner_is_output) {
  const Value x = g.input<float>("x", {2, 6}), weight = g.param("w", std::span(w), {6, 6});
  const auto body = g.body("body", [&] {
    g.input<int64_t>("i", {});
    g.input("going", DBK_BOOL, {});
    const Value state = g.input("state", DBK_F32, state_shape);
    const Value product = g.node("MatMul", {state, weight});
    g.output(truth(g));
    g.output(g.node("Tanh", {g.node("Add", {product, x})}));
    g.output(inner_is_output ? product : g.node("Abs", {g.node("Neg", {state})}));
  });
  const auto [last, all] = g.node<2>("Loop", {g.scalar(int64_t{3}), daybreak::absent, x}, {{"body", body}});
  g.output(last, "last");
  g.output(all, "all");
}

void test_loops() {
  Floats w = fractions(36, 4);
  for (float& v : w) v /= 8;
  const auto declared = compare([&](GraphBuilder& g) { write_loop(g, w, {2, 6}, false); }, {{2, 6}});
  require_fused(declared, "FusedMatMul", 1, "a state of declared shape");
  require_fused(declared, "Elementwise", 1, "a chain on the state");
  const auto output = compare([&](GraphBuilder& g) { write_loop(g, w, {2, 6}, true); }, {{2, 6}});
  require_fused(output, "FusedMatMul", 0, "the product leaves the body");
  const auto unknown = compare([&](GraphBuilder& g) { write_loop(g, w, daybreak::unknown_rank, false); }, {{2, 6}});
  require_fused(unknown, "FusedMatMul", 1, "a state that keeps the rank it begins with");
  require_fused(unknown, "Elementwise", 1, "a chain on such a state");
}

// What a body makes of its state; the node with it, three iterations, and the last state.
Value iterated(GraphBuilder& g, Value start, const std::function<Value(Value)>& step) {
  const auto body = g.body("body", [&] {
    g.input<int64_t>("i", {});
    g.input("going", DBK_BOOL, {});
    const Value state = g.input("state", DBK_F32, daybreak::unknown_rank);
    g.output(truth(g));
    g.output(step(state));
  });
  return g.node("Loop", {g.scalar(int64_t{3}), daybreak::absent, start}, {{"body", body}});
}

Value chosen(GraphBuilder& g, Value condition, const std::function<Value()>& yes, const std::function<Value()>& no) {
  const auto then = g.body("then", [&] { g.output(yes()); });
  const auto otherwise = g.body("else", [&] { g.output(no()); });
  return g.node("If", {condition}, {{"then_branch", then}, {"else_branch", otherwise}});
}

// Ranks go through bodies: a chain behind one is one node. Not where a branch or a round may give another rank, in some run.
void test_chains_behind_bodies() {
  const auto chain = [](GraphBuilder& g, Value v) { g.output(g.node(Op("Abs"), {g.node("Neg", {v})}), "y"); };
  const auto count = [&](bool open, const std::function<Value(GraphBuilder&, Value)>& write) {
    const auto build = [&](GraphBuilder& g) {
      chain(g, write(g, open ? g.input<float>("x", {g.symbol("n", 1, 8), 3}) : g.input<float>("x", {4, 3})));
    };
    const auto result = compare(build, {{4, 3}});
    if (open) compare(build, {{1, 3}});
    return result.count("Elementwise");
  };
  const auto squeezed = [](GraphBuilder& g, Value x) { return g.node("Squeeze", {x}); };  // a row is a vector then
  for (const bool open : {false, true}) {
    require_equal(count(open, [](GraphBuilder& g, Value x) { return chosen(g, any(g, x), [&] { return g.node("Exp", {x}); }, [&] { return g.node("Sqrt", {x}); }); }),
                  size_t{1}, "chains behind branches");
    require_equal(count(open, [](GraphBuilder& g, Value x) { return iterated(g, x, [&](Value v) { return g.node("Tanh", {v}); }); }), size_t{1},
                  "chains behind a loop");
    require_equal(count(open, [](GraphBuilder& g, Value x) {
                    return iterated(g, x, [&](Value v) { return chosen(g, any(g, v), [&] { return g.node("Sin", {v}); }, [&] { return g.node("Cos", {x}); }); });
                  }), size_t{1}, "chains behind branches in a loop");
    const size_t squeezing = count(open, [&](GraphBuilder& g, Value x) { return chosen(g, any(g, x), [&] { return squeezed(g, x); }, [&] { return squeezed(g, g.node("Sin", {x})); }); });
    require_equal(squeezing, size_t{open ? 0u : 1u}, "chains behind branches that drop what happens to be 1");
  }
  const size_t stacked = count(false, [&](GraphBuilder& g, Value x) {
    const auto body = g.body("body", [&] { g.output(g.node("Tanh", {g.input("slice", DBK_F32, daybreak::unknown_rank)})); });
    return g.node("Scan", {x}, {{"body", body}, {"num_scan_inputs", 1}, {"scan_output_axes", {1}}});
  });
  require_equal(stacked, size_t{1}, "chains behind slices");
}

void test_scans() {
  const Floats w = fractions(36, 5);
  const auto result = compare(
      [&](GraphBuilder& g) {
        const Value x = g.input<float>("x", {4, 6}), start = g.input<float>("start", {6});
        const auto body = g.body("body", [&] {
          const Value state = g.input<float>("state", {6}), slice = g.input<float>("slice", {6});
          const Value next = g.node("Tanh", {g.node("Add", {state, g.node("Mul", {slice, g.scalar(0.5f)})})});
          g.output(next);
          g.output(g.node("Neg", {g.node("Abs", {next})}));
        });
        const auto [last, all] = g.node<2>("Scan", {start, x}, {{"body", body}, {"num_scan_inputs", 1}});
        g.output(last, "last");
        g.output(all, "all");
      },
      {{4, 6}, {6}});
  require_fused(result, "Elementwise", 2, "both chains of the body");
}

// A pass that needs a number of its own: normalisation without weights has a scale of 1. Inside two bodies, one within the other.
void test_weights_of_nested_bodies() {
  const auto norm = [](GraphBuilder& g, Value x) {
    const auto mean = [&](Value v) { return g.node("ReduceMean", {v, g.constant<int64_t>({-1})}); };
    const Value c = g.node("Sub", {x, mean(x)});
    return g.node("Div", {c, g.node("Sqrt", {g.node("Add", {mean(g.node("Mul", {c, c})), g.scalar(1e-5f)})})});
  };
  const auto result = compare(
      [&](GraphBuilder& g) {
        const Value x = g.input<float>("x", {3, 24}), positive = any(g, x);  // fractions have both signs
        const auto outer = g.body("outer", [&] {
          const auto inner = g.body("inner", [&] { g.output(norm(g, g.node("Neg", {x}))); });
          const auto other = g.body("other", [&] { g.output(g.node("Neg", {x})); });
          const Value y = g.node("If", {any(g, g.node("Neg", {x}))}, {{"then_branch", inner}, {"else_branch", other}});
          g.output(g.node("Add", {norm(g, g.node("Exp", {x})), y}));
        });
        const auto otherwise = g.body("otherwise", [&] { g.output(g.node("Abs", {x})); });
        g.output(g.node("If", {positive}, {{"then_branch", outer}, {"else_branch", otherwise}}), "y");
      },
      {{3, 24}});
  require_fused(result, "LayerNormalization", 2, "in a body and in a body within");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "body_fusion_test.cpp",
                   {GRAPH_TEST(test_branches), GRAPH_TEST(test_loops), GRAPH_TEST(test_chains_behind_bodies), GRAPH_TEST(test_scans), GRAPH_TEST(test_weights_of_nested_bodies)});
}
