// Graphs that compute with shapes: what Shape gives is known before a run, so nodes that only decide shapes are no work, on
// any device, and inputs of which only the shape is asked stay ordinary inputs.
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

// Where the report has the node of that name.
std::string place_of(const daybreak::Executable& exec, const std::string& name) {
  const nlohmann::json placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes"))
    if (node.at("name") == name) return node.at("where");
  return "nowhere";
}

// As exporters write x.reshape(x.shape[0], -1).
Value rows_of(GraphBuilder& g, Value x) {
  const Value shape = g.node(daybreak::Op("Shape").named("shape"), {x});
  const Value first = g.node(daybreak::Op("Gather").named("gather"), {shape, g.scalar<int64_t>(0)});
  const Value axis = g.node(daybreak::Op("Unsqueeze").named("unsqueeze"), {first, g.constant<int64_t>({0})});
  return g.node(daybreak::Op("Concat").named("concat"), {axis, g.constant<int64_t>({-1})}, {{"axis", 0}});
}

void test_shape_decides_a_shape() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 9);
  const Value x = g.input<float>("x", {n, 2, 3});
  g.output(g.node("ReduceSum", {g.node("Reshape", {g.node("Neg", {x}), rows_of(g, x)}), g.constant<int64_t>({1})}, {{"keepdims", 0}}), "y");
  auto exec = prepare(g);
  for (const char* name : {"shape", "gather", "unsqueeze", "concat"}) require_equal(place_of(exec, name), "folded", name);
  require((exec.io(DBK_INPUT, "x").flags & DBK_IO_SHAPE_INPUT) == 0, "the elements of 'x' are said to decide shapes");
  daybreak::Run run(exec);
  for (int64_t rows : {3, 9, 1}) {
    const Floats data = whole_numbers(static_cast<size_t>(rows) * 6, 21);
    Floats sums(static_cast<size_t>(rows));
    for (size_t i = 0; i < data.size(); ++i) sums[i / 6] -= data[i];
    require_same(run_once(run, data, {rows, 2, 3}), sums, "sums");
  }
}

// The operands of a step on the host that are known come from inference, as nobody else computes them.
void test_shape_decides_a_slice() {
  GraphBuilder g;
  const auto n = g.symbol("n", 2, 9);
  const Value x = g.input<float>("x", {n}), all = g.input<float>("all", {9});
  const Value end = g.node("Add", {g.node("Shape", {x}), g.constant<int64_t>({-1})});
  g.output(g.node("Slice", {all, g.constant<int64_t>({0}), end}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(9, 22);
  bind(run, "all", data, {9});
  for (int64_t size : {4, 9, 2}) {
    bind(run, "x", Floats(static_cast<size_t>(size)), {size});
    run.run();
    require_same(run.read<float>(0), Floats(data.begin(), data.begin() + size - 1), "slice");
  }
}

// Extents as numbers: computed with, and with nothing of the input moved anywhere.
void test_shape_is_data() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 9);
  const Value x = g.input<float>("x", {n, 5});
  const Value count = g.node(daybreak::Op("Size").named("size"), {x});
  g.output(g.node("Div", {g.input<float>("sum", {}), g.node("Cast", {count}, {{"to", 1}})}), "mean");
  auto exec = prepare(g);
  require_equal(place_of(exec, "size"), on_gpu() ? "gpu" : "cpu", "place of Size");
  daybreak::Run run(exec);
  for (int64_t rows : {2, 9}) {
    bind(run, "x", Floats(static_cast<size_t>(rows) * 5), {rows, 5});
    bind(run, "sum", {static_cast<float>(rows) * 10}, {});
    run.run();
    require_same(run.read<float>(0), {2}, "mean");
  }
}

void test_shape_is_an_output() {
  GraphBuilder g;
  const auto n = g.symbol("n", 0, 9);
  g.output(g.node("Shape", {g.node("Neg", {g.input<float>("x", {n, 5})})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  for (int64_t rows : {2, 0, 9}) {
    bind(run, "x", Floats(static_cast<size_t>(rows) * 5), {rows, 5});
    run.run();
    require(run.read<int64_t>(0) == std::vector<int64_t>{rows, 5}, "shape of {} rows", rows);
  }
}

// Exporters' expand: sizes of -1 replaced through ConstantOfShape, Mul, Equal and Where.
void test_expand_with_open_extents() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 9);
  const Value x = g.input<float>("x", {n, 1});
  const Value wanted = g.constant<int64_t>({-1, 4}), shape = g.node("Shape", {wanted});
  const Value ones = g.node("ConstantOfShape", {shape}, {{"value", g.constant<int64_t>({1})}});
  const Value minus = g.node("Mul", {ones, g.scalar<int64_t>(-1)});
  const Value sizes = g.node("Where", {g.node("Equal", {wanted, minus}), ones, wanted});
  g.output(g.node("Expand", {x, sizes}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  require_same(run_once(run, {1, 2}, {2, 1}), {1, 1, 1, 1, 2, 2, 2, 2}, "two rows");
  require_same(run_once(run, {3}, {1, 1}), {3, 3, 3, 3}, "one row");
}

void test_coordinates_out_of_range() {
  GraphBuilder g;
  g.output(g.node(daybreak::Op("GatherND").named("picks"), {g.input<float>("x", {3, 2}), g.input<int64_t>("at", {1, 2})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 2, 3, 4, 5, 6}, {3, 2});
  for (const std::vector<int64_t>& at : std::vector<std::vector<int64_t>>{{3, 0}, {0, -3}, {int64_t{1} << 32, 0}}) {
    run.bind_input("at", daybreak::View(std::span(at), Dims{1, 2}));
    require_failure(DBK_OUT_OF_RANGE, {"picks"}, [&] { run.run(); });
  }
  const std::vector<int64_t> good{-1, 1};
  run.bind_input("at", daybreak::View(std::span(good), Dims{1, 2}));
  run.run();
  require_same(run.read<float>(0), {6}, "after the failures");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "shapes_test.cpp",
                   {GRAPH_TEST(test_shape_decides_a_shape), GRAPH_TEST(test_shape_decides_a_slice), GRAPH_TEST(test_shape_is_data),
                    GRAPH_TEST(test_shape_is_an_output), GRAPH_TEST(test_expand_with_open_extents),
                    GRAPH_TEST(test_coordinates_out_of_range)});
}
