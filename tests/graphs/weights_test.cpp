// Parameters: replaced between runs, given late, shared between executables, in one copy on the device.
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

const Floats kX{1, 2, 3, 4};

daybreak::Executable scaled_by_parameter() {
  GraphBuilder g;
  g.output(g.node("Neg", {g.node("Mul", {g.input<float>("x", {4}), g.param<float>("w", {4})})}), "y");
  return compile(g);
}

Floats expected_of(const Floats& w) {
  Floats result;
  for (size_t i = 0; i < 4; ++i) result.push_back(-kX[i] * w[i]);
  return result;
}

void test_parameter_without_data() {
  auto exec = scaled_by_parameter();
  require_failure(DBK_FAILED_PRECONDITION, {"w"}, [&] { exec.ready(); });
  require((exec.io(DBK_PARAM, "w").flags & DBK_IO_DATA_SET) == 0, "an empty parameter counts as set");
  const Floats w{5, 6, 7, 8};
  exec.set_param("w", std::span(w));
  require((exec.io(DBK_PARAM, "w").flags & DBK_IO_DATA_SET) != 0, "a set parameter counts as empty");
  exec.ready();
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {4}), expected_of(w), "late data");
}

void test_replacement_changes_results() {
  auto exec = scaled_by_parameter();
  Floats w{1, 1, 1, 1};
  exec.set_param("w", std::span(w));
  exec.ready();
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {4}), expected_of(w), "first");
  const uint64_t built = exec.stats().pipelines_built;
  for (float factor : {2.0f, -3.0f, 0.5f}) {
    w = {factor, factor + 1, factor + 2, factor + 3};
    exec.set_param("w", std::span(w));
    require_failure(DBK_FAILED_PRECONDITION, {"ready"}, [&] { run.run(); });
    exec.ready();
    run.run();
    require_same(run.read<float>(0), expected_of(w), "replaced");
  }
  require_equal(exec.stats().pipelines_built, built, "pipelines built by replacements");
}

void test_strided_and_unaligned_data() {
  auto exec = scaled_by_parameter();
  const Floats table{1, 2, 3, 4, 5, 6, 7, 8};
  exec.set_param("w", daybreak::View(std::span(table), Dims{4, 2}).select(1, 1));
  exec.ready();
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {4}), expected_of({2, 4, 6, 8}), "strided");
  exec.set_param("w", daybreak::View(std::span(table), Dims{8}).slice(0, 7, 4, -2));
  exec.ready();
  run.run();
  require_same(run.read<float>(0), expected_of({8, 6, 4, 2}), "backward");
  std::vector<std::byte> bytes(17);
  std::memcpy(bytes.data() + 1, table.data(), 16);
  exec.set_param("w", daybreak::View(std::span<const std::byte>(bytes).subspan(1), DBK_F32, Dims{4}),
                 DBK_UNTIL_DESTROY);
  exec.ready();
  run.run();
  require_same(run.read<float>(0), expected_of({1, 2, 3, 4}), "unaligned and borrowed");
}

void test_wrong_data_is_refused() {
  auto exec = scaled_by_parameter();
  const Floats five(5);
  require_failure(DBK_INVALID_ARGUMENT, {"w", "[4]", "[5]"},
                  [&] { exec.set_param("w", daybreak::View(std::span(five), Dims{5})); });
  require_failure(DBK_NOT_FOUND, {"ww", "w"}, [&] { exec.set_param("ww", std::span(five)); });
}

// The second graph is another one, with a parameter of the same name and no data.
void test_shared_by_two_executables() {
  const Floats w{2, 3, 4, 5};
  auto first = scaled_by_parameter();
  first.set_param("w", std::span(w));
  first.ready();
  GraphBuilder g;
  g.output(g.node("Add", {g.input<float>("x", {4}), g.param<float>("w", {4})}), "y");
  auto second = context().compile(g, {.device = device().index, .share = &first});
  second.ready();
  daybreak::Run run_second(second), run_first(first);
  require_same(run_once(run_second, kX, {4}), {3, 5, 7, 9}, "sum");
  require_same(run_once(run_first, kX, {4}), expected_of(w), "product");
  const Floats other{1, 1, 1, 1};
  first.set_param("w", std::span(other));
  first.ready();
  run_first.run();
  require_same(run_first.read<float>(0), expected_of(other), "product after a replacement");
  run_second.run();
  require_same(run_second.read<float>(0), {3, 5, 7, 9}, "the other executable after a replacement");
}

void test_one_weight_used_twice_is_stored_once() {
  const Floats w = whole_numbers(64 * 64, 5);
  GraphBuilder g;
  const Value p = g.param("w", DBK_F32, {64, 64}, std::as_bytes(std::span(w)));
  const Value x = g.input<float>("x", {2, 64});
  g.output(g.node("MatMul", {g.node("MatMul", {x, p}), p}), "y");
  auto exec = prepare(g);
  require_equal(exec.stats().weight_bytes, uint64_t{64 * 64 * 4}, "bytes of weights");
}

// A view of a weight, and a weight that is both a matrix and an addend.
void test_views_of_weights() {
  const Floats w = whole_numbers(16, 6);
  GraphBuilder g;
  const Value p = g.param("w", DBK_F32, {4, 4}, std::as_bytes(std::span(w)));
  const Value flat = g.node("Reshape", {p, g.constant<int64_t>({16})});
  const Value back = g.node("Reshape", {flat, g.constant<int64_t>({4, 4})});
  const Value x = g.input<float>("x", {4});
  g.output(g.node("Add",
                  {g.node("MatMul", {x, back}), g.node("ReduceSum", {p, g.constant<int64_t>({0})}, {{"keepdims", 0}})}),
           "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  Floats expected(4);
  for (size_t j = 0; j < 4; ++j)
    for (size_t i = 0; i < 4; ++i) expected[j] += (kX[i] + 1) * w[4 * i + j];
  require_same(run_once(run, kX, {4}), expected, "x w + column sums");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "weights_test.cpp",
                   {GRAPH_TEST(test_parameter_without_data), GRAPH_TEST(test_replacement_changes_results),
                    GRAPH_TEST(test_strided_and_unaligned_data), GRAPH_TEST(test_wrong_data_is_refused),
                    GRAPH_TEST(test_shared_by_two_executables), GRAPH_TEST(test_one_weight_used_twice_is_stored_once),
                    GRAPH_TEST(test_views_of_weights)});
}
