// Passes that hold for any graph: folding, no-ops, equal and dead nodes. Results stay the same bit by bit, and the
// placement report accounts for every node.
#include <cmath>
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
                    GRAPH_TEST(test_check_agrees_with_compile), GRAPH_TEST(test_unknown_choice_is_refused)});
}
