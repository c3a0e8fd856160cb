// Extents that are known only when a run is bound: symbols with ranges, unknown extents, shapes that are operands. One
// executable serves them all, builds no pipeline after it is ready, and gives the bits of a graph with fixed extents.
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Shape;

// A block as transformers have it: every family with rows, products and movement.
Value block(GraphBuilder& g, Value x, const Floats& weight) {
  const Value w = g.param("w", DBK_F32, {16, 16}, std::as_bytes(std::span(weight)));
  const Value product = g.node("MatMul", {x, w});
  const Value normal = g.node("LayerNormalization", {product, g.constant(std::span(weight).first(16), Dims{16})});
  const Value turned = g.node("Transpose", {normal}, {{"perm", {0, 2, 1}}});
  const Value scores = g.node("Softmax", {g.node("MatMul", {normal, turned})});
  const Value mixed = g.node("Add", {g.node("MatMul", {scores, normal}), x});
  return g.node("ReduceMean", {g.node("Gelu", {mixed}), g.constant<int64_t>({1})});
}

Floats scaled(Floats values) {
  for (float& value : values) value /= 16;
  return values;
}

const Floats kWeight = scaled(whole_numbers(256, 11));

Floats run_fixed(const Floats& data, const Dims& dims) {
  GraphBuilder g;
  g.output(block(g, g.input("x", DBK_F32, Shape(dims)), kWeight), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  return run_once(run, data, dims);
}

void test_one_executable_many_extents() {
  GraphBuilder g;
  const auto batch = g.symbol("batch", 1, 4), length = g.symbol("length", 1, 300);
  g.output(block(g, g.input<float>("x", {batch, length, 16}), kWeight), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const uint64_t built = exec.stats().pipelines_built;
  require(!on_gpu() || built > 0, "no pipeline was built before the first run");
  for (const Dims& dims :
       {Dims{1, 7, 16}, Dims{4, 300, 16}, Dims{2, 64, 16}, Dims{1, 1, 16}, Dims{3, 65, 16}, Dims{1, 7, 16}}) {
    const Floats data = scaled(whole_numbers(static_cast<size_t>(dims.product()), static_cast<uint32_t>(dims[1])));
    const Floats dynamic = run_once(run, data, dims);
    require_equal(exec.stats().pipelines_built, built, "pipelines built after ready");
    require(run.shape(DBK_OUTPUT, 0).dims == Dims({dims[0], 1, 16}), "output of {} has shape {}", to_string(dims),
            to_string(run.shape(DBK_OUTPUT, 0).dims));
    require_same(dynamic, run_fixed(data, dims), ("extents " + to_string(dims)).c_str());
  }
}

// What ran before leaves no trace in the bits, and memory planned for the largest extents serves all others.
void test_history_does_not_matter() {
  const auto build = [] {
    GraphBuilder g;
    const auto length = g.symbol("length", 1, 128);
    g.output(block(g, g.input<float>("x", {2, length, 16}), kWeight), "y");
    return prepare(g);
  };
  auto exec = build();
  daybreak::Run run(exec);
  const uint64_t built = exec.stats().pipelines_built;
  uint64_t bytes = 0, buffers = 0;
  for (const int64_t length : {10, 128, 37, 1, 128, 10}) {
    Floats data = whole_numbers(static_cast<size_t>(2 * length * 16), static_cast<uint32_t>(length));
    for (float& value : data) value /= 7;
    const Floats result = run_once(run, data, {2, length, 16});
    auto fresh = build();
    daybreak::Run first(fresh);
    require_same(result, run_once(first, data, {2, length, 16}), ("length " + std::to_string(length)).c_str());
    require_equal(exec.stats().pipelines_built, built, "pipelines built after ready");
    if (bytes) require_equal(run.stats().activation_bytes, bytes, "bytes of activations");
    if (buffers) require_equal(run.stats().buffers_created, buffers, "buffers created");
    bytes = run.stats().activation_bytes;
    if (length == 128) buffers = run.stats().buffers_created;
  }
}

// The first n of what was compiled for more: set_dim alone, before anything is bound.
void test_active_extent() {
  GraphBuilder g;
  const auto n = g.symbol("n", 0, 1000);
  g.output(g.node("ReduceSum", {g.node("Neg", {g.input<float>("x", {n, 2})}), g.constant<int64_t>({0})}, {{"keepdims", 0}}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(2000, 3);
  for (const int64_t active : {1000, 3, 0, 999}) {
    run.set_dim("n", active);
    run.bind_input(0, daybreak::View(std::span(data).first(static_cast<size_t>(2 * active)), Dims{active, 2}), DBK_UNTIL_DESTROY);
    run.run();
    Floats sums(2);
    for (size_t i = 0; i < static_cast<size_t>(2 * active); ++i) sums[i % 2] -= data[i];
    require_same(run.read<float>(0), sums, "sums of the active part");
  }
}

// Exporters name the extents of outputs too: a symbol that no input carries asks nothing of the run.
void test_symbol_of_an_output_alone() {
  GraphBuilder g;
  const auto rows = g.symbol("rows", 1, 9);
  g.symbol("named_by_the_exporter");
  g.output(g.node("Neg", {g.input<float>("x", {rows, 3})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  require_same(run_once(run, {1, 2, 3}, {1, 3}), {-1, -2, -3}, "result");
  require_equal(exec.io(DBK_SYMBOL, "named_by_the_exporter").dims[1], int64_t{-1}, "bound of a symbol without one");
}

void test_extent_zero() {
  GraphBuilder g;
  const auto rows = g.symbol("rows", 0, 9);
  g.output(g.node("Relu", {g.node("Add", {g.input<float>("x", {rows, 3}), g.scalar(1.0f)})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  require_same(run_once(run, {}, {0, 3}), {}, "no rows");
  require_same(run_once(run, {1, -2, 3}, {1, 3}), {2, 0, 4}, "one row");
  require_same(run_once(run, {}, {0, 3}), {}, "no rows again");
}

void test_set_dim_before_binding() {
  GraphBuilder g;
  const auto n = g.symbol("n", 2, 8, 2);
  g.output(g.node("Neg", {g.input<float>("x", {n})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  run.set_dim("n", 4);
  require(run.shape(DBK_OUTPUT, "y").dims == Dims{4} && run.shape(DBK_OUTPUT, "y").exact,
          "shape before binding is wrong");
  require_same(run_once(run, {1, 2, 3, 4}, {4}), {-1, -2, -3, -4}, "n = 4");
  require_failure(DBK_OUT_OF_RANGE, {"10", "'n'", "above its maximum, 8"}, [&] { run.set_dim("n", 10); });
  require_failure(DBK_OUT_OF_RANGE, {"0", "'n'", "below its minimum, 2"}, [&] { run.set_dim("n", 0); });
  require_failure(DBK_OUT_OF_RANGE, {"3", "'n'", "not a multiple of 2"}, [&] { run.set_dim("n", 3); });
  const Floats six(6);
  require_failure(DBK_INVALID_ARGUMENT, {"'n'"}, [&] { bind(run, "x", six, {6}); });
  require_same(run_once(run, {5, 6, 7, 8}, {4}), {-5, -6, -7, -8}, "n = 4 after refusals");
}

void test_symbol_shared_by_inputs() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 100);
  g.output(g.node("Add", {g.input<float>("a", {n, 2}), g.input<float>("b", {2, n})}), "y");
  require_failure(DBK_INVALID_ARGUMENT, {}, [&] {
    auto exec = prepare(g);
    daybreak::Run run(exec);
    bind(run, "a", Floats(6), {3, 2});
    bind(run, "b", Floats(6), {2, 3});
    run.run();
  });
}

// Extents 3 and 5 cannot be added: on the way from 3 and 3 to 5 and 5 one of them has to be let go.
void test_extents_that_change_together() {
  GraphBuilder g;
  const auto n = g.symbol("n", 2, 8), m = g.symbol("m", 2, 8);
  g.output(g.node("Add", {g.input<float>("a", {n}), g.input<float>("b", {m})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "a", {1, 2, 3}, {3});
  bind(run, "b", {1, 1, 1}, {3});
  run.run();
  require_same(run.read<float>("y"), {2, 3, 4}, "three elements");
  require_failure(DBK_INVALID_ARGUMENT, {}, [&] { bind(run, "a", {1, 2, 3, 4, 5}, {5}); });
  run.run();
  require_same(run.read<float>("y"), {2, 3, 4}, "three elements after a refusal");
  run.set_dim("m", DBK_DIM_UNKNOWN);
  bind(run, "a", {1, 2, 3, 4, 5}, {5});
  require_failure(DBK_FAILED_PRECONDITION, {"'m'"}, [&] { run.run(); });
  bind(run, "b", {1, 1, 1, 1, 1}, {5});
  run.run();
  require_same(run.read<float>("y"), {2, 3, 4, 5, 6}, "five elements");
}

void test_shape_is_an_input() {
  GraphBuilder g;
  const Value x = g.node("Neg", {g.input<float>("x", {24})});
  const Value shape = g.input<int64_t>("shape", {3});
  g.output(g.node("ReduceSum", {g.node("Reshape", {x, shape}), g.constant<int64_t>({1})}, {{"keepdims", 0}}), "y");
  auto exec = prepare(g);
  require((exec.io(DBK_INPUT, "shape").flags & DBK_IO_SHAPE_INPUT) != 0, "'shape' is not marked as deciding shapes");
  require((exec.io(DBK_INPUT, "x").flags & DBK_IO_SHAPE_INPUT) == 0, "'x' is marked as deciding shapes");
  daybreak::Run run(exec);
  const Floats data = whole_numbers(24, 12);
  bind(run, "x", data, {24});
  for (const auto& [a, b, c] :
       {std::tuple<int64_t, int64_t, int64_t>{2, 3, 4}, {4, 1, 6}, {1, 24, 1}, {-1, 2, 3}, {2, 3, 4}}) {
    const std::vector<int64_t> wanted{a, b, c};
    run.bind_input("shape", daybreak::View(std::span(wanted), Dims{3}));
    run.run();
    const int64_t outer = a < 0 ? 24 / (b * c) : a;
    require(run.shape(DBK_OUTPUT, 0).dims == Dims({outer, c}), "shape {}x{}x{} gives {}", a, b, c,
            to_string(run.shape(DBK_OUTPUT, 0).dims));
    Floats expected(static_cast<size_t>(outer * c));
    for (size_t i = 0; i < 24; ++i)
      expected[i / static_cast<size_t>(b * c) * static_cast<size_t>(c) + i % static_cast<size_t>(c)] -= data[i];
    require_same(run.read<float>(0), expected, "sums");
  }
}

void test_slice_bounds_are_inputs() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {10});
  g.output(g.node("Neg", {g.node("Slice", {x, g.input<int64_t>("first", {1}), g.input<int64_t>("end", {1})})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(10, 13);
  bind(run, "x", data, {10});
  for (const auto& [first, end] : {std::pair<int64_t, int64_t>{0, 10}, {3, 5}, {-2, 10}, {4, 4}}) {
    run.bind_input("first", daybreak::View(std::span(&first, 1), Dims{1}));
    run.bind_input("end", daybreak::View(std::span(&end, 1), Dims{1}));
    run.run();
    Floats expected;
    for (int64_t i = first < 0 ? first + 10 : first; i < end; ++i) expected.push_back(-data[static_cast<size_t>(i)]);
    require_same(run.read<float>(0), expected, "slice");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "dynamic_test.cpp",
                   {GRAPH_TEST(test_one_executable_many_extents), GRAPH_TEST(test_history_does_not_matter),
                    GRAPH_TEST(test_active_extent), GRAPH_TEST(test_symbol_of_an_output_alone), GRAPH_TEST(test_extent_zero),
                    GRAPH_TEST(test_set_dim_before_binding), GRAPH_TEST(test_symbol_shared_by_inputs), GRAPH_TEST(test_extents_that_change_together),
                    GRAPH_TEST(test_shape_is_an_input), GRAPH_TEST(test_slice_bounds_are_inputs)});
}
