// Weights larger than a device's kernels can bind: products go in column panels, an embedding goes to the host or is
// refused with its name and size. On a device without a limit below half a GiB there is nothing to test, and the tests
// say so.
#include <cmath>
#include <memory>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

// Elements of a weight a fifth over the limit.
int64_t elements_over_limit() {
  constexpr uint64_t kTestable = uint64_t{512} << 20;
  const uint64_t limit = device().max_binding;
  if (limit > kTestable)
    throw Skip(std::format("max_binding of {} bytes: a larger weight does not fit a test machine", limit));
  return static_cast<int64_t>(limit / 4 * 6 / 5);
}

float weight_at(uint64_t i) { return static_cast<float>(static_cast<int>((i * 2654435761u >> 20) % 17) - 8); }

Floats weights(int64_t count) {
  Floats result(static_cast<size_t>(count));
  for (size_t i = 0; i < result.size(); ++i) result[i] = weight_at(i);
  return result;
}

void test_product_in_panels() {
  constexpr int64_t kRows = 3, kInner = 300;
  const int64_t columns = elements_over_limit() / kInner + 37;
  const Floats b = weights(kInner * columns), a = whole_numbers(kRows * kInner, 1);
  GraphBuilder g;
  const Value w = g.param("large weight", DBK_F32, {kInner, columns}, std::as_bytes(std::span(b)), DBK_UNTIL_DESTROY);
  g.output(g.node("Neg", {g.node("MatMul", {g.input<float>("x", {kRows, kInner}), w})}), "y");
  auto exec = prepare(g, daybreak::Options().set("policy", "require_gpu"));
  require(exec.stats().weight_bytes >= b.size() * 4, "{} bytes of weights are fewer than the weight has",
          exec.stats().weight_bytes);
  daybreak::Run run(exec);
  const Floats y = run_once(run, a, {kRows, kInner});
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      float sum = 0;  // whole numbers: exact in any order
      for (int64_t k = 0; k < kInner; ++k)
        sum -= a[static_cast<size_t>(row * kInner + k)] * b[static_cast<size_t>(k * columns + column)];
      const float actual = y[static_cast<size_t>(row * columns + column)];
      require(actual == sum, "element [{}, {}] is {}, not {}", row, column, actual, sum);
    }
}

struct Embedding {
  static constexpr int64_t kWidth = 64;
  int64_t rows = elements_over_limit() / kWidth;
  Floats table = weights(rows * kWidth);
  GraphBuilder graph;
  Embedding() {
    const Value t =
        graph.param("embedding", DBK_F32, {rows, kWidth}, std::as_bytes(std::span(table)), DBK_UNTIL_DESTROY);
    graph.output(
        graph.node("Neg", {graph.node(daybreak::Op("Gather").named("lookup"), {t, graph.input<int64_t>("ids", {4})})}),
        "y");
  }
};

void test_embedding_on_the_host() {
  Embedding e;
  auto exec = prepare(e.graph);
  daybreak::Run run(exec);
  const std::vector<int64_t> ids{0, e.rows - 1, e.rows / 2, -7};
  run.bind_input("ids", daybreak::View(std::span(ids), Dims{4}));
  run.run();
  const Floats y = run.read<float>(0);
  for (size_t i = 0; i < 4; ++i) {
    const int64_t row = ids[i] < 0 ? ids[i] + e.rows : ids[i];
    for (int64_t j = 0; j < Embedding::kWidth; ++j)
      require_equal(y[i * 64 + static_cast<size_t>(j)], -e.table[static_cast<size_t>(row * 64 + j)], "embedding");
  }
}

void test_embedding_refused() {
  Embedding e;
  const std::string bytes = std::to_string(e.table.size() * 4), limit = std::to_string(device().max_binding);
  const auto error = require_failure(DBK_UNIMPLEMENTED, {"embedding", bytes, limit, "lookup"},
                                     [&] { compile(e.graph, daybreak::Options().set("policy", "require_gpu")); });
  require(error.causes()[0].node == 0u, "the refusal does not name the node");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(
      argc, argv, "limits_test.cpp",
      {GRAPH_TEST(test_product_in_panels), GRAPH_TEST(test_embedding_on_the_host), GRAPH_TEST(test_embedding_refused)});
}
