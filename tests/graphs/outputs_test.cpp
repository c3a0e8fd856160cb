// Outputs that no step writes: a graph's input, a weight, one value twice, another shape of an input. Each has its own
// bytes, in host memory, in a buffer, and by read.
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

const Dims kDims{3, 5};
const Floats kData = whole_numbers(15, 7);

// Reads output `index` in the three ways there are.
void require_output(const daybreak::Executable& exec, uint32_t index, const Floats& expected, const Dims& dims) {
  daybreak::Run run(exec);
  if (exec.count(DBK_INPUT) > 0) run.bind_input(0, daybreak::View(std::span(kData), kDims));
  run.run();
  require(run.shape(DBK_OUTPUT, index).dims == dims, "shape is {}, not {}",
          to_string(run.shape(DBK_OUTPUT, index).dims), to_string(dims));
  require_same(run.read<float>(index), expected, "read");
  Floats bound(expected.size(), -77.0f);
  run.bind_output(index, daybreak::MutableView(std::span(bound), dims));
  run.run();
  require_same(bound, expected, "host memory");
  daybreak::Buffer buffer = context().buffer(expected.size() * 4 + 16, device().index);
  run.bind_buffer(DBK_OUTPUT, index, buffer, DBK_F32, dims);
  run.run();
  require_same(run.read<float>(index), expected, "buffer");
  run.unbind_output(index);
}

void test_output_is_an_input() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3, 5});
  g.output(x);
  g.output(g.node("Neg", {x}), "negated");
  const auto exec = prepare(g);
  require_output(exec, 0, kData, kDims);
}

void test_output_is_only_an_input() {
  GraphBuilder g;
  g.output(g.input<float>("x", {3, 5}));
  require_output(prepare(g), 0, kData, kDims);
}

void test_output_is_a_weight() {
  const Floats weight = whole_numbers(15, 8);
  GraphBuilder g;
  const Value w = g.param("w", DBK_F32, kDims, std::as_bytes(std::span(weight)));
  g.output(w);
  g.output(g.node("Add", {g.input<float>("x", {3, 5}), w}), "sum");
  const auto exec = prepare(g);
  require_output(exec, 0, weight, kDims);
}

void test_output_is_a_constant() {
  GraphBuilder g;
  g.output(g.constant<float>({1, 2, 3}, Dims{3}, "c"));
  const auto exec = prepare(g);
  require_output(exec, 0, {1, 2, 3}, {3});
}

void test_one_value_under_two_names() {
  GraphBuilder g;
  const Value y = g.node("Neg", {g.input<float>("x", {3, 5})});
  g.output(g.node("Identity", {y}), "first");
  g.output(g.node("Identity", {y}), "second");
  const auto exec = prepare(g);
  Floats expected;
  for (float value : kData) expected.push_back(-value);
  require_output(exec, 0, expected, kDims);
  require_output(exec, 1, expected, kDims);
}

void test_one_value_twice() {
  GraphBuilder g;
  const Value y = g.node("Neg", {g.input<float>("x", {3, 5})}, {});
  g.output(y, "y");
  g.output(y, "y");
  const auto exec = prepare(g);
  require_equal(exec.count(DBK_OUTPUT), 2u, "number of outputs");
  Floats expected;
  for (float value : kData) expected.push_back(-value);
  require_output(exec, 0, expected, kDims);
  require_output(exec, 1, expected, kDims);
}

void test_output_is_another_shape_of_an_input() {
  GraphBuilder g;
  g.output(g.node("Reshape", {g.input<float>("x", {3, 5}), g.constant<int64_t>({5, -1})}), "y");
  require_output(prepare(g), 0, kData, {5, 3});
}

void test_output_that_is_also_used() {
  GraphBuilder g;
  const Value y = g.node("Neg", {g.input<float>("x", {3, 5})});
  g.output(y, "y");
  g.output(g.node("Abs", {y}), "z");
  const auto exec = prepare(g);
  Floats negated, magnitudes;
  for (float value : kData) negated.push_back(-value), magnitudes.push_back(std::abs(value));
  require_output(exec, 0, negated, kDims);
  require_output(exec, 1, magnitudes, kDims);
}

// One buffer for several outputs, of which one is read by the step that makes another, and one is a copy of a third.
void test_outputs_apart_in_one_buffer() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3, 5});
  const Value y = g.node("Neg", {x});
  g.output(y, "y");
  g.output(g.node("Abs", {y}), "z");
  g.output(g.node("Identity", {y}), "again");
  const auto exec = prepare(g);
  daybreak::Buffer buffer = context().buffer(1024, device().index);
  daybreak::Run run(exec);
  bind(run, "x", kData, kDims);
  for (uint32_t i = 0; i < 3; ++i) run.bind_buffer(DBK_OUTPUT, i, buffer, DBK_F32, kDims, 256 * (i + 1));
  run.run();
  Floats magnitudes, whole(256);
  for (float value : kData) magnitudes.push_back(std::abs(value));
  buffer.read(std::span(whole));
  const auto part = [&](size_t i) { return Floats(whole.begin() + 64 * i, whole.begin() + 64 * i + 15); };
  require_same(part(0), Floats(15, 0.0f), "memory of no output");
  require_same(part(1), negated(kData), "y");
  require_same(part(2), magnitudes, "z");
  require_same(part(3), negated(kData), "again");
  run.bind_buffer(DBK_OUTPUT, 2, buffer, DBK_F32, kDims, 256);
  require_failure(DBK_INVALID_ARGUMENT, {"'y'", "'again'"}, [&] { run.run(); });
}

void test_host_memory_that_overlaps() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3, 5});
  g.output(g.node("Neg", {x}), "y");
  g.output(g.node("Abs", {x}), "z");
  const auto exec = prepare(g);
  Floats memory(40, 1.0f);
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::View(std::span<const float>(memory).first(15), kDims), DBK_UNTIL_DESTROY);
  run.bind_output("y", daybreak::MutableView(std::span(memory).subspan(14, 15), kDims));
  require_failure(DBK_INVALID_ARGUMENT, {"'x'", "'y'"}, [&] { run.run(); });
  run.bind_output("y", daybreak::MutableView(std::span(memory).subspan(15, 15), kDims));
  run.bind_output("z", daybreak::MutableView(std::span(memory).subspan(25, 15), kDims));
  require_failure(DBK_INVALID_ARGUMENT, {"'y'", "'z'"}, [&] { run.run(); });
  run.unbind_output("z");
  run.run();
  require_equal(memory[15], -1.0f, "first element of y");
}

// The statistics of a LayerNormalization whose main output nobody wants: computed, or refused; never a crash.
void test_only_the_optional_outputs() {
  GraphBuilder g;
  const std::vector<Value> operands{g.input<float>("x", {3, 5}), g.constant<float>({1, 1, 1, 1, 1})};
  const auto results = g.nodes("LayerNormalization", operands, {}, {false, true});
  g.output(results[1], "mean");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats ones(15, 2.0f);
  require_same(run_once(run, ones, kDims), {2, 2, 2}, "means");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "outputs_test.cpp",
                   {GRAPH_TEST(test_output_is_an_input), GRAPH_TEST(test_output_is_only_an_input),
                    GRAPH_TEST(test_output_is_a_weight), GRAPH_TEST(test_output_is_a_constant),
                    GRAPH_TEST(test_one_value_under_two_names), GRAPH_TEST(test_one_value_twice),
                    GRAPH_TEST(test_output_is_another_shape_of_an_input), GRAPH_TEST(test_output_that_is_also_used),
                    GRAPH_TEST(test_outputs_apart_in_one_buffer), GRAPH_TEST(test_host_memory_that_overlaps),
                    GRAPH_TEST(test_only_the_optional_outputs)});
}
