// Element-wise chains and epilogues: that they are fused, that they are not where it would be wrong, and that results are those of the
// same graph without fusion.
#include <cmath>
#include <map>
#include <memory>
#include <random>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

Floats numbers(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  Floats values(count);
  for (float& v : values) v = static_cast<float>(random() % 4001) / 1000.0f - 2.0f;
  return values;
}

// A parameter; its bytes live as long as the test.
Value weight(GraphBuilder& g, const char* name, const Dims& dims, uint32_t seed) {
  static std::vector<std::unique_ptr<Floats>> kept;
  size_t count = 1;
  for (int64_t d : dims) count *= static_cast<size_t>(d);
  kept.push_back(std::make_unique<Floats>(numbers(count, seed)));
  return g.param(name, DBK_F32, dims, std::as_bytes(std::span(*kept.back())));
}

struct Fed {
  const char* name;
  Dims dims;
};

// Fused steps round less often; both are right to within this much of the largest result.
constexpr float kTolerance = 2e-5f;

void require_close(const Floats& actual, const Floats& expected, const std::string& what) {
  require_equal(actual.size(), expected.size(), what.c_str());
  float largest = 1;
  for (float v : expected) largest = std::max(largest, std::fabs(v));
  for (size_t i = 0; i < actual.size(); ++i)
    require(std::fabs(actual[i] - expected[i]) <= kTolerance * largest, "{}: [{}] is {}, unfused {}", what, i, actual[i], expected[i]);
}

Floats run_fed(const daybreak::Executable& exec, const std::vector<Fed>& inputs) {
  daybreak::Run run(exec);
  std::vector<Floats> data;
  for (size_t i = 0; i < inputs.size(); ++i) {
    size_t count = 1;
    for (int64_t d : inputs[i].dims) count *= static_cast<size_t>(d);
    data.push_back(numbers(count, static_cast<uint32_t>(100 + i)));
  }
  for (size_t i = 0; i < inputs.size(); ++i) graphs::bind(run, inputs[i].name, data[i], inputs[i].dims);
  run.run();
  return run.read<float>(0);
}

// Results with fusion equal those without, for each set of shapes. Gives the executable with fusion.
daybreak::Executable require_equal_results(GraphBuilder& g, const std::vector<std::vector<Fed>>& cases) {
  auto plain = prepare(g, unfused());
  auto fused = prepare(g);
  for (const auto& inputs : cases) require_close(run_fed(fused, inputs), run_fed(plain, inputs), "fused");
  return fused;
}

// Names of nodes that are steps of their own; the others are part of one.
void require_steps(const daybreak::Executable& exec, const std::vector<std::string>& expected) {
  std::vector<std::string> steps;
  const nlohmann::json placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes")) {
    const std::string where = node.at("where");
    if (where == "gpu" || where == "cpu" || where == "host") steps.push_back(node.at("name"));
  }
  require(steps == expected, "steps are '{}'", nlohmann::json(steps).dump());
}

void test_chain() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3, 5, 64});
  Value v = g.node(Op("Add").named("add"), {x, weight(g, "b", {64}, 1)});
  v = g.node(Op("Gelu").named("gelu"), {v});
  v = g.node(Op("Mul").named("mul"), {v, g.constant<float>({0.5f})});
  g.output(g.node(Op("Sub").named("sub"), {x, v}), "y");
  const auto exec = require_equal_results(g, {{{"x", {3, 5, 64}}}});
  require_steps(exec, {"sub"});
  require_equal(std::string(placement_of(exec, "gelu").at("where")), std::string("fused"), "gelu");
}

// x Sigmoid(x): a value that is read twice within the chain.
void test_diamond() {
  GraphBuilder g;
  const Value v = g.node(Op("Neg").named("neg"), {g.input<float>("x", {4099})});
  g.output(g.node(Op("Mul").named("mul"), {v, g.node(Op("Sigmoid").named("sigmoid"), {v})}), "y");
  require_steps(require_equal_results(g, {{{"x", {4099}}}}), {"mul"});
}

// Two chains that meet are one.
void test_two_chains_meet() {
  GraphBuilder g;
  const Value a = g.node(Op("Tanh").named("tanh"), {g.input<float>("a", {7, 9})});
  const Value b = g.node(Op("Abs").named("abs"), {g.input<float>("b", {9})});
  g.output(g.node(Op("Mul").named("mul"), {a, b}), "y");
  require_steps(require_equal_results(g, {{{"a", {7, 9}}, {"b", {9}}}}), {"mul"});
}

void test_outputs_end_chains() {
  GraphBuilder g;
  const Value a = g.node(Op("Neg").named("neg"), {g.input<float>("x", {10})});
  g.output(g.node(Op("Abs").named("abs"), {a}), "y");
  g.output(a, "z");
  require_steps(require_equal_results(g, {{{"x", {10}}}}), {"neg", "abs"});
}

// The mean is of the very value that is subtracted from: no node of the chain may take the other in.
void test_readers_outside_end_chains() {
  GraphBuilder g;
  const Value a = g.node(Op("Exp").named("exp"), {g.input<float>("x", {6, 8})});
  const Value mean = g.node(Op("ReduceMean").named("mean"), {a, g.constant<int64_t>({1})});
  g.output(g.node(Op("Abs").named("abs"), {g.node(Op("Sub").named("sub"), {a, mean})}), "y");
  require_steps(require_equal_results(g, {{{"x", {6, 8}}}}), {"exp", "mean", "abs"});
}

// A square root per row is not formed again for every column.
void test_small_dear_values_stay() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {50, 64});
  const Value r = g.node(Op("Sqrt").named("sqrt"), {g.node(Op("Abs").named("abs"), {g.input<float>("r", {50, 1})})});
  g.output(g.node(Op("Mul").named("mul"), {x, g.node(Op("Neg").named("neg"), {r})}), "y");
  require_steps(require_equal_results(g, {{{"x", {50, 64}}, {"r", {50, 1}}}}), {"neg", "mul"});
}

void test_many_operands() {
  GraphBuilder g;
  Value v = g.input<float>("x", {40});
  for (int i = 0; i < 12; ++i) v = g.node(Op("Add").named("add" + std::to_string(i)), {v, weight(g, ("w" + std::to_string(i)).c_str(), {40}, static_cast<uint32_t>(i))});
  g.output(v, "y");
  require_steps(require_equal_results(g, {{{"x", {40}}}}), {"add4", "add9", "add11"});
}

// Other types on the way; rounding to f16 ends a chain.
void test_types() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {9, 33});
  const Value whole = g.node(Op("Cast").named("whole"), {x}, {{"to", 6}});
  const Value is = g.node(Op("Cast").named("is"), {whole}, {{"to", 9}});
  const Value half = g.node(Op("Cast").named("half"), {g.node(Op("Neg").named("neg"), {x})}, {{"to", 10}});
  const Value back = g.node(Op("Cast").named("back"), {g.node(Op("Abs").named("abs"), {half})}, {{"to", 1}});
  g.output(g.node(Op("Where").named("where"), {is, back, weight(g, "w", {33}, 1)}), "y");
  const auto exec = prepare(g);
  require_steps(exec, {"half", "where"});
  const Floats y = run_fed(exec, {{"x", {9, 33}}}), plain = run_fed(prepare(g, unfused()), {{"x", {9, 33}}});
  require_same(y, plain, "exact steps");
}

void test_choices() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {9, 33}), zero = g.constant<float>({0});
  const Value is = g.node(Op("And").named("and"), {g.node(Op("Less").named("less"), {x, weight(g, "w", {33}, 1)}),
                                                   g.node(Op("Not").named("not"), {g.node(Op("Equal").named("equal"), {x, zero})})});
  const Value clipped = g.node(Op("Clip").named("clip"), {x, g.scalar(-0.5f), g.scalar(0.75f)});
  g.output(g.node(Op("Where").named("where"), {is, clipped, g.node(Op("Neg").named("neg"), {x})}), "y");
  const auto exec = prepare(g);
  require_steps(exec, {"where"});
  require_same(run_fed(exec, {{"x", {9, 33}}}), run_fed(prepare(g, unfused()), {{"x", {9, 33}}}), "exact steps");
}

void add_layer(GraphBuilder& g, const Value& x, int64_t k, int64_t n, const std::vector<std::string>& steps, const Value* residual) {
  Value v = g.node(Op("MatMul").named("product"), {x, weight(g, "w", {k, n}, 1)});
  for (const std::string& step : steps) {
    if (step == "bias") v = g.node(Op("Add").named(step), {weight(g, "bias", {n}, 2), v});
    else if (step == "gelu") v = g.node(Op("Gelu").named(step), {v});
    else if (step == "scale") v = g.node(Op("Mul").named(step), {v, g.constant<float>({0.125f})});
    else if (step == "residual") v = g.node(Op("Add").named(step), {v, *residual});
  }
  g.output(v, "y");
}

// For lanes and lines: extents that are multiples of nothing and of everything; with k over one part of a line.
void test_epilogues() {
  for (const auto& [m, k, n] : {std::tuple<int64_t, int64_t, int64_t>{5, 7, 9}, {33, 68, 20}, {64, 192, 48}, {1, 132, 64}, {3, 0, 4}}) {
    GraphBuilder g;
    const Value x = g.input<float>("x", {2, m, k}), r = g.input<float>("r", {2, m, n});
    add_layer(g, x, k, n, {"bias", "gelu", "scale", "residual"}, &r);
    require_steps(require_equal_results(g, {{{"x", {2, m, k}}, {"r", {2, m, n}}}}), {"residual"});
  }
}

// What a library computes with the product and what is left behind it: sums, products and differences in both directions, a value that
// two steps read, one column, one row.
void test_mixed_epilogues() {
  using Steps = std::function<Value(GraphBuilder&, Value, Value)>;
  const auto bias = [](GraphBuilder& g, int64_t n) { return weight(g, "bias", {n}, 2); };
  for (const auto& [m, k, n] : {std::tuple<int64_t, int64_t, int64_t>{5, 7, 9}, {64, 192, 48}, {1, 132, 64}, {33, 20, 1}, {130, 384, 96}}) {
    const Steps steps[] = {
        [&, n = n](GraphBuilder& g, Value v, Value r) { return g.node("Add", {g.node("Sub", {g.node("Add", {v, bias(g, n)}), r}), r}); },
        [&, n = n](GraphBuilder& g, Value v, Value r) { return g.node("Mul", {g.node("Sub", {r, g.node("Mul", {v, bias(g, n)})}), r}); },
        [&, n = n](GraphBuilder& g, Value v, Value) {
          const Value sum = g.node("Add", {v, bias(g, n)});
          return g.node("Mul", {sum, g.node("Sigmoid", {sum})});
        },
        [&](GraphBuilder& g, Value v, Value r) { return g.node("Add", {g.node("Mul", {v, r}), v}); },
        [&](GraphBuilder& g, Value v, Value r) { return g.node("Add", {r, g.node("Relu", {g.node("Mul", {v, g.constant<float>({0.5f})})})}); },
    };
    for (const Steps& behind : steps) {
      GraphBuilder g;
      const Value x = g.input<float>("x", {2, m, k}), r = g.input<float>("r", {2, m, n});
      g.output(behind(g, g.node("MatMul", {x, weight(g, "w", {k, n}, 1)}), r), "y");
      const auto exec = require_equal_results(g, {{{"x", {2, m, k}}, {"r", {2, m, n}}}});
      require_equal(report(exec, "placement").at("nodes").at(0).at("where") == "fused", true, "the product is part of what follows");
    }
  }
}

void test_epilogue_of_gemm() {
  for (const int64_t turned : {0, 1}) {
    GraphBuilder g;
    const Value x = g.input<float>("x", {20, 64});
    Value v = g.node(Op("Gemm").named("product"), {x, turned ? weight(g, "w", {32, 64}, 1) : weight(g, "w", {64, 32}, 1), weight(g, "c", {32}, 2)},
                     {{"transB", turned}, {"alpha", turned ? 0.5f : 1.0f}, {"beta", 2.0f}});
    v = g.node(Op("Relu").named("relu"), {v});
    g.output(g.node(Op("Mul").named("mul"), {v, weight(g, "s", {1, 32}, 3)}), "y");
    require_steps(require_equal_results(g, {{{"x", {20, 64}}}}), {"mul"});
  }
}

// Small and large enough for every program; a bias of its own or a scale per channel, activation, residual.
void test_epilogue_of_convolutions() {
  for (const auto& [channels, size, biased] : {std::tuple<int64_t, int64_t, bool>{3, 5, false}, {3, 5, true}, {16, 20, false}, {16, 20, true}}) {
    GraphBuilder g;
    const Dims dims{2, channels, size, size};
    const Value x = g.input<float>("x", dims), w = weight(g, "w", {channels, channels, 3, 3}, 1);
    const std::initializer_list<daybreak::Attr> attrs{{"pads", std::vector<int64_t>{1, 1, 1, 1}}};
    Value v = biased ? g.node(Op("Conv").named("conv"), {x, w, weight(g, "b", {channels}, 2)}, attrs) : g.node(Op("Conv").named("conv"), {x, w}, attrs);
    if (!biased) v = g.node(Op("Mul").named("scale"), {v, weight(g, "s", {channels, 1, 1}, 3)});
    v = g.node(Op("Clip").named("clip"), {v, g.scalar(0.0f), g.scalar(6.0f)});
    g.output(g.node(Op("Add").named("residual"), {v, x}), "y");
    require_steps(require_equal_results(g, {{{"x", dims}}}), {"residual"});
  }
}

// Groups, strides and no bias; a bias as its own node, as exporters leave it behind a folded normalisation.
void test_epilogue_of_grouped_convolution() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 8, 11, 9});
  Value v = g.node(Op("Conv").named("conv"), {x, weight(g, "w", {12, 2, 3, 3}, 1)},
                   {{"group", 4}, {"strides", std::vector<int64_t>{2, 1}}, {"pads", std::vector<int64_t>{1, 0, 1, 2}}});
  v = g.node(Op("Add").named("bias"), {v, weight(g, "b", {1, 12, 1, 1}, 2)});
  g.output(g.node(Op("Mul").named("silu"), {v, g.node(Op("Sigmoid").named("sigmoid"), {v})}), "y");
  require_steps(require_equal_results(g, {{{"x", {2, 8, 11, 9}}}}), {"silu"});
}

using Behind = std::function<void(GraphBuilder&, Value x, Value product)>;

// What is behind a convolution [1, 4, 6, 4] stays a step of its own.
void require_conv_stays(const std::vector<std::string>& steps, const Behind& behind) {
  GraphBuilder g;
  const Value x = g.input<float>("x", {1, 4, 6, 4});
  behind(g, x, g.node(Op("Conv").named("conv"), {x, weight(g, "w", {4, 4, 1, 1}, 1)}));
  require_steps(require_equal_results(g, {{{"x", {1, 4, 6, 4}}}}), steps);
}

void test_convolutions_that_stay() {
  // One factor per column of the image: not a channel's.
  require_conv_stays({"conv", "columns"}, [](GraphBuilder& g, Value, Value v) {
    g.output(g.node(Op("Mul").named("columns"), {v, weight(g, "s", {4}, 2)}), "y");
  });
  require_conv_stays({"conv", "relu", "neg"}, [](GraphBuilder& g, Value, Value v) {  // another reader
    g.output(g.node(Op("Relu").named("relu"), {v}), "y");
    g.output(g.node(Op("Neg").named("neg"), {v}), "z");
  });
  require_conv_stays({"conv", "relu"}, [](GraphBuilder& g, Value, Value v) {  // an output
    g.output(g.node(Op("Relu").named("relu"), {v}), "y");
    g.output(v, "z");
  });
  require_conv_stays({"conv", "wider"}, [](GraphBuilder& g, Value, Value v) {  // the result has another shape
    g.output(g.node(Op("Add").named("wider"), {v, weight(g, "s", {3, 4, 6, 4}, 2)}), "y");
  });
  require_conv_stays({"conv", "row", "residual"}, [](GraphBuilder& g, Value x, Value v) {  // a residual that broadcasts
    const Value row = g.node(Op("ReduceMax").named("row"), {x, g.constant<int64_t>({2})});
    g.output(g.node(Op("Add").named("residual"), {v, row}), "y");
  });
}

// f16 in registers is not rounded: what casts a product to a whole number or a truth value has to see it rounded.
void test_f16_is_rounded_before_it_jumps() {
  for (const int64_t to : {6, 9}) {
    GraphBuilder g;
    const Value x = g.node("Cast", {g.input<float>("x", {4})}, {{"to", 10}}), w = g.node("Cast", {g.input<float>("w", {4})}, {{"to", 10}});
    const Value product = g.node(Op("Mul").named("mul"), {x, w});
    g.output(g.node("Cast", {g.node(Op("Cast").named("jump"), {product}, {{"to", to}})}, {{"to", 1}}), "y");
    const auto exec = prepare(g), plain = prepare(g, unfused());
    daybreak::Run fused(exec), unfused_run(plain);
    for (daybreak::Run* run : {&fused, &unfused_run}) {
      graphs::bind(*run, "x", {1.5f, 1.0078125f, 0x1p-14f, 2.5f}, {4});
      graphs::bind(*run, "w", {1.5f, 0.9921875f, 0x1p-13f, -2.0f}, {4});
      run->run();
    }
    require_same(fused.read<float>(0), unfused_run.read<float>(0), to == 6 ? "cast to i32" : "cast to bool");
    require_equal(fused.read<float>(0)[1], 1.0f, "1 - 2^-14 rounds to 1 in f16");
    require_equal(fused.read<float>(0)[2], 0.0f, "2^-27 rounds to 0 in f16");
  }
}

// Extents that each run chooses: the residual has those of the product whatever they are.
void test_epilogue_with_open_extents() {
  GraphBuilder g;
  const auto batch = g.symbol("batch", 1, 8), rows = g.symbol("rows", 1, 64);
  const Value x = g.input<float>("x", {batch, rows, 64});
  add_layer(g, x, 64, 64, {"bias", "gelu", "residual"}, &x);
  require_steps(require_equal_results(g, {{{"x", {1, 1, 64}}}, {{"x", {3, 17, 64}}}, {{"x", {8, 64, 64}}}}), {"residual"});
}

// With one row and a residual of seven the result has seven: equal at the largest extents proves nothing.
void test_residual_of_other_extents() {
  GraphBuilder g;
  const auto rows = g.symbol("rows", 1, 8), others = g.symbol("others", 1, 8);
  const Value x = g.input<float>("x", {rows, 16}), r = g.input<float>("r", {others, 16});
  add_layer(g, x, 16, 16, {"bias", "residual"}, &r);
  const auto exec = require_equal_results(g, {{{"x", {1, 16}}, {"r", {7, 16}}}, {{"x", {5, 16}}, {"r", {1, 16}}}, {{"x", {8, 16}}, {"r", {8, 16}}}});
  require_steps(exec, {"bias", "residual"});
}

void test_products_that_stay() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {4, 16});
  const Value product = g.node(Op("MatMul").named("product"), {x, weight(g, "w", {16, 1}, 1)});
  g.output(g.node(Op("Add").named("wider"), {product, weight(g, "b", {6}, 2)}), "y");
  require_steps(require_equal_results(g, {{{"x", {4, 16}}}}), {"product", "wider"});
  GraphBuilder twice;
  const Value p = twice.node(Op("MatMul").named("product"), {twice.input<float>("x", {4, 16}), weight(twice, "w", {16, 16}, 1)});
  twice.output(twice.node(Op("Relu").named("relu"), {p}), "y");
  twice.output(twice.node(Op("Neg").named("neg"), {p}), "z");
  require_steps(require_equal_results(twice, {{{"x", {4, 16}}}}), {"product", "relu", "neg"});
}

void test_steady_state() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 64, 64});
  add_layer(g, x, 64, 64, {"bias", "gelu", "residual"}, &x);
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = numbers(2 * 64 * 64, 1);
  graphs::bind(run, "x", data, {2, 64, 64});
  run.run();
  const uint64_t before = exec.stats().host_allocations;
  for (int i = 0; i < 3; ++i) run.run();
  require_equal(exec.stats().host_allocations, before, "allocations of runs");
}

// ---- random graphs ----

class RandomGraph {
 public:
  explicit RandomGraph(uint32_t seed) : random_(seed) {
    values_ = {{g_.input<float>("x", {4, 6, 32}), 3}, {weight(g_, "row", {32}, seed), 1}, {weight(g_, "column", {6, 1}, seed + 1), 2},
               {weight(g_, "one", {1}, seed + 2), 1}, {weight(g_, "matrix", {32, 32}, seed + 3), 2}};
    for (int i = 0; i < 18; ++i) add_node();
    // Whatever is left over meets in the output, at the full shape.
    Value sum = values_[0].value;
    for (size_t i = kMatrix + 1; i < values_.size(); ++i)
      if (!read_[i]) sum = g_.node("Add", {sum, values_[i].value});
    g_.output(sum, "y");
    if (random_() % 2) g_.output(values_[kMatrix + 1 + random_() % (values_.size() - kMatrix - 1)].value, "inside");
  }
  void check(uint32_t seed) {
    auto plain = prepare(g_, unfused());
    auto fused = prepare(g_);
    const std::vector<Fed> inputs{{"x", {4, 6, 32}}};
    require_close(run_fed(fused, inputs), run_fed(plain, inputs), "seed " + std::to_string(seed));
  }

 private:
  struct Made {
    Value value;
    int rank;  // 3: whole
  };
  static constexpr size_t kMatrix = 4;  // read by products alone
  size_t pick() {
    const size_t recent = std::min<size_t>(values_.size() - kMatrix - 1, 4);
    const size_t i = recent && random_() % 3 ? values_.size() - 1 - random_() % recent : random_() % kMatrix;
    read_[i] = true;
    return i;
  }
  void add_node() {
    static constexpr const char* kUnary[] = {"Tanh", "Sigmoid", "Gelu", "Abs", "Neg", "Relu"};
    static constexpr const char* kBinary[] = {"Add", "Sub", "Mul", "Max", "Min"};
    const size_t a = pick();
    const auto choice = random_() % 10;
    if (choice < 4) {
      const char* op = kUnary[random_() % 6];
      values_.push_back({g_.node(op, {values_[a].value}), values_[a].rank});
    } else if (choice < 8) {
      const size_t b = pick();
      Value v = g_.node(kBinary[random_() % 5], {values_[b].value, values_[a].value});
      values_.push_back({g_.node("Tanh", {v}), std::max(values_[a].rank, values_[b].rank)});
    } else if (choice < 9 && values_[a].rank == 3) {
      values_.push_back({g_.node("Tanh", {g_.node("MatMul", {values_[a].value, values_[kMatrix].value})}), 3});
    } else {
      const Value mean = g_.node("ReduceMean", {values_[a].value, g_.constant<int64_t>({-1})});
      values_.push_back({g_.node("Add", {mean, values_[0].value}), 3});
    }
  }
  std::mt19937 random_;
  GraphBuilder g_;
  std::vector<Made> values_;
  std::map<size_t, bool> read_;
};

void test_random_graphs() {
  const char* given = std::getenv("DAYBREAK_TEST_SEED");
  const auto first = static_cast<uint32_t>(given ? std::strtoul(given, nullptr, 0) : 1);
  for (uint32_t seed = first; seed < first + 12; ++seed) RandomGraph(seed).check(seed);
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "fusion_test.cpp",
                   {GRAPH_TEST(test_chain), GRAPH_TEST(test_diamond), GRAPH_TEST(test_two_chains_meet), GRAPH_TEST(test_outputs_end_chains),
                    GRAPH_TEST(test_readers_outside_end_chains), GRAPH_TEST(test_small_dear_values_stay), GRAPH_TEST(test_many_operands),
                    GRAPH_TEST(test_types), GRAPH_TEST(test_choices), GRAPH_TEST(test_epilogues), GRAPH_TEST(test_mixed_epilogues), GRAPH_TEST(test_epilogue_of_gemm),
                    GRAPH_TEST(test_epilogue_of_convolutions), GRAPH_TEST(test_epilogue_of_grouped_convolution), GRAPH_TEST(test_convolutions_that_stay),
                    GRAPH_TEST(test_f16_is_rounded_before_it_jumps),
                    GRAPH_TEST(test_epilogue_with_open_extents), GRAPH_TEST(test_residual_of_other_extents), GRAPH_TEST(test_products_that_stay),
                    GRAPH_TEST(test_steady_state), GRAPH_TEST(test_random_graphs)});
}
