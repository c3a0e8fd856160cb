// Passes that hold for any graph: folding, no-ops, equal and dead nodes. Results stay the same bit by bit, and the
// placement report accounts for every node.
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

const Floats kX{1, -2, 3, -4, 5, -6};

// Compiles a graph with and without passes, compares all outputs of both and gives the executable with passes.
daybreak::Executable require_unchanged(GraphBuilder& g, const Floats& x, const Dims& dims, size_t outputs = 1) {
  auto plain = prepare(g, unfused());
  auto exec = prepare(g);
  daybreak::Run first(plain), second(exec);
  run_once(first, x, dims);
  run_once(second, x, dims);
  for (uint32_t i = 0; i < outputs; ++i)
    require_same(second.read<float>(i), first.read<float>(i), "with passes, and without");
  return exec;
}

void require_places(const daybreak::Executable& exec,
                    std::initializer_list<std::pair<const char*, const char*>> expected) {
  for (const auto& [name, place] : expected) {
    const std::string where = placement_of(exec, name).at("where");
    const std::string wanted = std::string(place) != "device" ? place : on_gpu() ? "gpu" : "cpu";
    require(where == wanted, "'{}' is {}, not {}", name, where, wanted);
  }
}

void test_constants_are_folded() {
  GraphBuilder g;
  const Value two = g.node(Op("Add").named("two"), {g.constant<float>({1}), g.constant<float>({1})});
  const Value four = g.node(Op("Mul").named("four"), {two, two});
  g.output(g.node(Op("Mul").named("last"), {g.input<float>("x", {2, 3}), four}), "y");
  require_places(require_unchanged(g, kX, {2, 3}), {{"two", "folded"}, {"four", "folded"}, {"last", "device"}});
}

void test_no_ops_go() {
  GraphBuilder g;
  Value v = g.node(Op("Neg").named("first"), {g.input<float>("x", {2, 3})});
  v = g.node(Op("Identity").named("identity"), {v});
  v = g.node(Op("Cast").named("cast"), {v}, {{"to", 1}});
  v = g.node(Op("Mul").named("times one"), {g.constant<float>({1}), v});
  v = g.node(Op("Sub").named("minus zero"), {v, g.constant<float>({0})});
  v = g.node(Op("Transpose").named("turn"), {v});
  v = g.node(Op("Transpose").named("turn back"), {v});
  v = g.node(Op("Concat").named("alone"), {v}, {{"axis", 0}});
  g.output(g.node(Op("Abs").named("last"), {v}), "y");
  const auto exec = require_unchanged(g, kX, {2, 3});
  require_places(exec, {{"first", "fused"},
                        {"identity", "folded"},
                        {"cast", "folded"},
                        {"times one", "folded"},
                        {"minus zero", "folded"},
                        {"turn", "folded"},
                        {"turn back", "folded"},
                        {"alone", "folded"},
                        {"last", "device"}});
}

// x + 0 is not x where x is -0; a constant of a larger rank adds axes; what the graph gives out must stay.
void test_nearly_no_ops_stay() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 3});
  const Value sum = g.node(Op("Add").named("plus zero"), {x, g.constant<float>({0})});
  g.output(g.node(Op("Div").named("one over"), {g.constant<float>({1}), sum}), "y");
  g.output(g.node(Op("Mul").named("more axes"), {x, g.constant<float>({1}, Dims{1, 1, 1})}), "z");
  g.output(g.node(Op("Identity").named("copy"), {x}), "copy");
  g.output(g.node(Op("Sub").named("zero minus"), {g.constant<float>({0}), x}), "negative");
  Floats zeros = kX;
  zeros[2] = -0.0f;
  auto exec = require_unchanged(g, zeros, {2, 3}, 4);
  require_places(exec, {{"plus zero", "fused"}, {"more axes", "device"}, {"copy", "view"}, {"zero minus", "device"}});
  require_equal(daybreak::Run(exec).shape(DBK_OUTPUT, 1).dims.size(), size_t{3}, "rank of z");
}

// With an extent that is -1 in a Reshape only the last counts; a 0 would mean the shape between them.
void test_reshapes_and_transposes_meet() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 3});
  Value v = g.node(Op("Reshape").named("first"), {g.node("Neg", {x}), g.constant<int64_t>({3, 2})});
  v = g.node(Op("Reshape").named("second"), {v, g.constant<int64_t>({1, -1, 2})});
  v = g.node(Op("Transpose").named("third"), {v}, {{"perm", std::vector<int64_t>{2, 0, 1}}});
  g.output(g.node(Op("Transpose").named("fourth"), {v}, {{"perm", std::vector<int64_t>{1, 0, 2}}}), "y");
  Value w = g.node(Op("Reshape").named("zero"),
                   {g.node(Op("Reshape").named("before zero"), {g.node("Abs", {x}), g.constant<int64_t>({3, 2})}),
                    g.constant<int64_t>({0, -1, 1})});
  g.output(w, "z");
  const auto exec = require_unchanged(g, kX, {2, 3}, 2);
  require_places(exec, {{"first", "folded"},
                        {"second", "view"},
                        {"third", "folded"},
                        {"fourth", "device"},
                        {"before zero", "view"},
                        {"zero", "view"}});
}

void test_equal_nodes_are_shared() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 3});
  const Value a = g.node(Op("Softmax").named("a"), {x}, {{"axis", 0}}),
              b = g.node(Op("Softmax").named("b"), {x}, {{"axis", 0}});
  const Value c = g.node(Op("Softmax").named("c"), {x}, {{"axis", 1}});
  const Value more_a = g.node(Op("Add").named("more a"), {a, g.constant<float>({3})});
  const Value more_b = g.node(Op("Add").named("more b"), {b, g.constant<float>({3})});
  g.output(g.node("Mul", {g.node("Mul", {more_a, more_b}), c}), "y");
  const auto exec = require_unchanged(g, kX, {2, 3});
  require_places(exec, {{"b", "fused"}, {"more b", "fused"}});
  require_equal(uint32_t(placement_of(exec, "b").at("into")), uint32_t(placement_of(exec, "a").at("node")),
                "node that stands for 'b'");
}

void test_equal_outputs_stay() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 3});
  g.output(g.node(Op("Neg").named("a"), {x}), "y");
  g.output(g.node(Op("Neg").named("b"), {x}), "z");
  require_places(require_unchanged(g, kX, {2, 3}, 2), {{"a", "device"}, {"b", "device"}});
}

void test_dead_nodes_go() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 3});
  g.node(Op("Exp").named("dead"), {g.node(Op("Neg").named("dying"), {x})});
  g.output(g.node(Op("Abs").named("alive"), {x}), "y");
  const auto exec = require_unchanged(g, kX, {2, 3});
  require_places(exec, {{"dead", "folded"}, {"dying", "folded"}, {"alive", "device"}});
  require_equal(std::string(placement_of(exec, "dead").at("reason")), std::string("dead code"), "reason");
}

void test_every_node_is_accounted_for() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 3});
  const Floats w{1, 2, 3};
  std::set<std::string> names;
  const auto named = [&](const char* op, const char* name, std::initializer_list<Value> inputs) {
    names.insert(name);
    return g.node(Op(op).named(name), inputs);
  };
  const Value p = named("Neg", "prepared", {g.param("w", std::span(w), {3})});
  const Value c = named("Exp", "constant", {g.constant<float>({1})});
  named("Abs", "dead", {x});
  const Value a = named("Mul", "a", {x, p}), b = named("Mul", "b", {x, p});
  g.output(named("Add", "last", {named("Add", "sum", {a, b}), named("Identity", "same", {c})}), "y");
  const auto exec = require_unchanged(g, kX, {2, 3});
  std::set<std::string> listed;
  const nlohmann::json placement = report(exec, "placement");
  for (const auto& row : placement.at("nodes")) listed.insert(row.at("name"));
  require(listed == names, "{} of {} nodes are in the placement report", listed.size(), names.size());
}

// What check says holds for the graph that compile makes of it: arithmetic on shapes is no work of a device.
void test_check_agrees_with_compile() {
  GraphBuilder g;
  const Floats w = whole_numbers(3, 7);
  const Value x = g.input<float>("x", {g.symbol("rows", 1, 9), 3});
  const Value scaled =
      g.node(Op("Mul").named("times"), {x, g.node(Op("Neg").named("negated"), {g.param("w", std::span(w), {3})})});
  const Value extents =
      g.node(Op("Mul").named("arithmetic"), {g.node(Op("Shape").named("shape"), {x}), g.constant<int64_t>({3, 1})});
  const Value last = g.node(Op("Div").named("halved"), {extents, g.constant<int64_t>({3, 1})});
  g.output(g.node(Op("Reshape").named("last"), {g.node(Op("Softmax").named("rows"), {scaled}), last}), "y");
  const auto options = daybreak::Options().set("policy", on_gpu() ? "require_gpu" : "prefer_gpu");
  const auto verdicts = nlohmann::json::parse(context().check(g, {.options = options, .device = device().index}));
  require(bool(verdicts.at("runs")) && bool(verdicts.at("all_on_device")), "check refuses: {}", verdicts.dump());
  require_equal(verdicts.at("nodes").size(), size_t{7}, "nodes that check answers for");
  auto exec = prepare(g, options);
  daybreak::Run run(exec);
  require_equal(run_once(run, whole_numbers(6, 8), {2, 3}).size(), size_t{6}, "elements");
}

// Where the node of that name went in the graph of one input, x[rows, 6], of which `shape` makes the operand of a Reshape.
std::string shape_went(const std::function<Value(GraphBuilder&, Value)>& shape, const std::vector<int64_t>& rows, int64_t allowzero = 0) {
  std::string where;
  GraphBuilder g;
  const Value x = g.input<float>("x", {g.symbol("rows", 0, 8), 6});
  g.output(g.node(Op("Reshape").named("reshape"), {g.node("Neg", {x}), shape(g, x)}, {{"allowzero", allowzero}}), "y");
  for (int64_t n : rows) {
    const auto exec = require_unchanged(g, whole_numbers(static_cast<size_t>(n * 6), 5), {n, 6});
    where = placement_of(exec, "shape").at("where");
  }
  return where;
}

Value rows_of(GraphBuilder& g, Value x) {
  return g.node("Slice", {g.node(Op("Shape").named("shape"), {x}), g.constant<int64_t>({0}), g.constant<int64_t>({1})});
}

// A computed extent that stands where it stood needs no computing.
void test_shapes_are_settled() {
  const auto in_place = [](GraphBuilder& g, Value x) { return g.node("Concat", {rows_of(g, x), g.constant<int64_t>({2, 3})}, {{"axis", 0}}); };
  require_equal(shape_went(in_place, {4, 1, 0}), std::string("folded"), "an extent in its place");
}

// At another place, of another value, or where a 0 means 0, it has to be computed.
void test_shapes_that_stay_open() {
  const auto elsewhere = [](GraphBuilder& g, Value x) { return g.node("Concat", {g.constant<int64_t>({2}), rows_of(g, x), g.constant<int64_t>({3})}, {{"axis", 0}}); };
  require_equal(shape_went(elsewhere, {4, 1, 6}), std::string("skipped"), "an extent at another place");
  const auto doubled = [](GraphBuilder& g, Value x) {
    return g.node("Concat", {g.node("Mul", {rows_of(g, x), g.constant<int64_t>({2})}), g.constant<int64_t>({3})}, {{"axis", 0}});
  };
  require_equal(shape_went(doubled, {4, 1}), std::string("skipped"), "an extent times two");
  const auto in_place = [](GraphBuilder& g, Value x) { return g.node("Concat", {rows_of(g, x), g.constant<int64_t>({2, 3})}, {{"axis", 0}}); };
  require_equal(shape_went(in_place, {4, 0}, 1), std::string("skipped"), "a 0 that means 0");

  GraphBuilder g;  // of another value, whose extent only happens to be equal
  const Value x = g.input<float>("x", {g.symbol("n", 1, 8), 6}), other = g.input<float>("other", {g.symbol("m", 1, 8), 1});
  g.output(g.node("Reshape", {x, g.node("Concat", {rows_of(g, other), g.constant<int64_t>({2, 3})}, {{"axis", 0}})}), "y");
  auto exec = prepare(g);
  require_equal(std::string(placement_of(exec, "shape").at("where")), std::string("skipped"), "an extent of another value");
  daybreak::Run run(exec);
  bind(run, "x", whole_numbers(24, 1), {4, 6});
  bind(run, "other", {1, 2, 3, 4}, {4, 1});
  run.run();
  require_same(run.read<float>(0), whole_numbers(24, 1), "as many rows");
  require_failure(DBK_INVALID_ARGUMENT, {"Reshape"}, [&] { bind(run, "other", {1, 2, 3}, {3, 1}), run.run(); });
}

struct Swap {
  std::vector<int64_t> folded{6, 4, 5}, back{2, 3, 5, 4}, perm{0, 2, 1};
  bool folded_out = false, turned_out = false, turned_read = false;
};

// Reshapes that are left of x[2, 3, 4, 5] -> folded -> Transpose -> back; the results are those of the graph as given.
size_t reshapes_left(const Swap& swap) {
  GraphBuilder g;
  const Value x = g.node("Neg", {g.input<float>("x", {2, 3, 4, 5})});
  const Value folded = g.node("Reshape", {x, g.constant(std::span<const int64_t>(swap.folded), {static_cast<int64_t>(swap.folded.size())})});
  const Value turned = g.node("Transpose", {folded}, {{"perm", swap.perm}});
  const Value y = g.node("Reshape", {turned, g.constant(std::span<const int64_t>(swap.back), {static_cast<int64_t>(swap.back.size())})});
  g.output(g.node("Abs", {y}), "y");
  size_t outputs = 1;
  if (swap.folded_out) g.output(g.node("Exp", {folded}), "folded"), ++outputs;
  if (swap.turned_out) g.output(turned, "turned"), ++outputs;
  if (swap.turned_read) g.output(g.node("Exp", {turned}), "read"), ++outputs;
  const auto exec = require_unchanged(g, whole_numbers(120, 9), {2, 3, 4, 5}, outputs);
  size_t left = 0;
  const nlohmann::json placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes")) left += node.at("op") == "Reshape" && node.at("where") == "view";
  return left;
}

void test_transposes_by_way_of_three_axes() {
  require_equal(reshapes_left({}), size_t{0}, "Reshapes around a matrix per batch");
  require_equal(reshapes_left({.folded_out = true}), size_t{1}, "Reshapes where somebody else reads the folded value");
}

void test_transposes_that_stay_folded() {
  require_equal(reshapes_left({.back = {3, 2, 5, 4}}), size_t{2}, "Reshapes to other batches");
  require_equal(reshapes_left({.back = {2, 3, 4, 5}}), size_t{2}, "Reshapes that turn nothing back");
  require_equal(reshapes_left({.folded = {6, 5, 4}, .back = {2, 3, 4, 5}}), size_t{2}, "Reshapes across rows");
  require_equal(reshapes_left({.folded = {3, 8, 5}, .back = {2, 3, 5, 4}}), size_t{2}, "Reshapes of other matrices");
  require_equal(reshapes_left({.perm = {1, 2, 0}}), size_t{2}, "Reshapes around another order of axes");
  require_equal(reshapes_left({.turned_out = true}), size_t{2}, "Reshapes whose inside is an output");
  require_equal(reshapes_left({.turned_read = true}), size_t{2}, "Reshapes whose inside others read");
}

// On GPUs bf16 is computed in a wider type between casts: several steps that come from one node, each of which reports tell for itself.
void test_steps_of_one_node_are_told_apart() {
  if (!on_gpu()) throw Skip("the CPU computes a node as one step");
  GraphBuilder g;
  g.output(g.node("Softmax", {g.input("x", DBK_BF16, {3, 5})}), "y");
  const daybreak::Executable exec = compile(g);
  const nlohmann::json schedule = report(exec, "schedule"), placement = report(exec, "placement");
  std::map<uint32_t, nlohmann::json> rows;
  for (const auto& row : placement.at("nodes"))
    if (row.contains("step")) require(rows.emplace(row["step"].get<uint32_t>(), row).second, "a step has two rows: {}", row.dump());
  size_t steps = 0;
  for (const auto& segment : schedule.at("segments"))
    for (const auto& step : segment.at("steps")) {
      const nlohmann::json& row = rows.at(step.at("step").get<uint32_t>());
      for (const char* key : {"node", "op", "kernel"}) require(row.at(key) == step.at(key), "{} and {}", row.dump(), step.dump());
      steps += row.at("node") == 0;
    }
  require(steps > 1, "{} steps of the node", steps);
}

void test_unknown_choice_is_refused() {
  GraphBuilder g;
  g.output(g.node("Neg", {g.input<float>("x", {2})}), "y");
  require_failure(DBK_INVALID_ARGUMENT, {"fusion", "some"},
                  [&] { compile(g, daybreak::Options().set("fusion", "some")); });
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "passes_test.cpp",
                   {GRAPH_TEST(test_constants_are_folded), GRAPH_TEST(test_no_ops_go),
                    GRAPH_TEST(test_nearly_no_ops_stay), GRAPH_TEST(test_reshapes_and_transposes_meet),
                    GRAPH_TEST(test_equal_nodes_are_shared), GRAPH_TEST(test_equal_outputs_stay),
                    GRAPH_TEST(test_dead_nodes_go), GRAPH_TEST(test_every_node_is_accounted_for),
                    GRAPH_TEST(test_shapes_are_settled), GRAPH_TEST(test_shapes_that_stay_open),
                    GRAPH_TEST(test_transposes_by_way_of_three_axes), GRAPH_TEST(test_transposes_that_stay_folded),
                    GRAPH_TEST(test_check_agrees_with_compile), GRAPH_TEST(test_steps_of_one_node_are_told_apart), GRAPH_TEST(test_unknown_choice_is_refused)});
}
