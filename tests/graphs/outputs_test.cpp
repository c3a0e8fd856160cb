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
                    GRAPH_TEST(test_only_the_optional_outputs)});
}
