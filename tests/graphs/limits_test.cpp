// Weights larger than a device's kernels can bind: products go in column panels, an embedding goes to the host or is
// refused with its name and size. On a device without a limit below half a GiB there is nothing to test, and the tests
// say so. Intermediates over the limit leave a node to the host, and so do extents that no kernel takes.
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

template <class T = float>
std::vector<T> weights(int64_t count) {
  std::vector<T> result(static_cast<size_t>(count));
  for (size_t i = 0; i < result.size(); ++i) result[i] = static_cast<T>(static_cast<int>((i * 2654435761u >> 20) % 17) - 8);
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

// Each panel adds its own columns of C, not those of the first one.
void test_integers_in_panels() {
  constexpr int64_t kRows = 2, kInner = 100;
  const int64_t columns = elements_over_limit() / kInner + 37;
  const auto b = weights<int32_t>(kInner * columns), c = weights<int32_t>(columns);
  const std::vector<int32_t> a = weights<int32_t>(kRows * kInner);
  GraphBuilder g;
  const Value w = g.param("large weight", DBK_I32, {kInner, columns}, std::as_bytes(std::span(b)), DBK_UNTIL_DESTROY);
  const Value added = g.param("C", DBK_I32, {columns}, std::as_bytes(std::span(c)), DBK_UNTIL_DESTROY);
  g.output(g.node("Gemm", {g.input<int32_t>("x", {kRows, kInner}), w, added}), "y");
  auto exec = prepare(g, daybreak::Options().set("policy", "require_gpu"));
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::View(std::span(a), Dims{kRows, kInner}));
  run.run();
  const auto y = run.read<int32_t>(0);
  for (int64_t row = 0; row < kRows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int32_t sum = c[static_cast<size_t>(column)];
      for (int64_t k = 0; k < kInner; ++k)
        sum += a[static_cast<size_t>(row * kInner + k)] * b[static_cast<size_t>(k * columns + column)];
      require_equal(y[static_cast<size_t>(row * columns + column)], sum, "element");
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

// Sums of a Mean of three take twice its result: every operand fits a binding, what its kernels hand on does not.
void test_intermediates_over_the_limit() {
  if (!on_gpu()) throw Skip("a CPU has no bindings");
  const auto count = static_cast<int64_t>(device().max_binding / 8 + 1000);
  GraphBuilder g;
  const Value a = g.input<float>("a", {count}), b = g.input<float>("b", {count}), c = g.input<float>("c", {count});
  g.output(g.node(daybreak::Op("Mean").named("mean"), {a, b, c}), "y");
  require_equal(std::string(placement_of(compile(g), "mean").at("where")), std::string("host"), "where");
  require_failure(DBK_UNIMPLEMENTED, {"mean", std::to_string(count * 8), std::to_string(device().max_binding)},
                  [&] { compile(g, daybreak::Options().set("policy", "require_gpu")); });
}

void test_extents_that_no_kernel_takes() {
  if (!on_gpu()) throw Skip("the host transforms lines of any length");
  GraphBuilder g;
  g.output(g.node(daybreak::Op("DFT").named("transform"), {g.input<float>("x", {1, g.symbol("n", 1), 1})}), "y");
  const int64_t length = 1031;  // a prime larger than any radix
  const Floats ones(static_cast<size_t>(length), 1.0f);
  const auto strict = daybreak::Options().set("policy", "require_gpu");
  for (bool must : {false, true}) {
    auto exec = prepare(g, must ? strict : daybreak::Options());
    daybreak::Run run(exec);
    if (must) {
      require_failure(DBK_UNIMPLEMENTED, {"require_gpu", "transform", std::to_string(length)}, [&] { bind(run, "x", ones, {1, length, 1}); });
    } else {
      const Floats sums = run_once(run, ones, {1, length, 1});
      require(std::abs(sums[0] - static_cast<float>(length)) < 0.01f && std::abs(sums[2]) < 0.01f, "{} and {}", sums[0], sums[2]);
      require_equal(run.stats().host_islands, 1u, "islands");
    }
    require_same(run_once(run, {1, 2, 3, 4}, {1, 4, 1}), {10, 0, -2, 2, -2, 0, -2, -2}, "with other extents");
    require_equal(run.stats().dispatches > 0, true, "dispatches");
  }
  const auto verdicts = nlohmann::json::parse(context().check(g, {.options = strict, .device = device().index}));
  require(verdicts["runs"] && verdicts["undecided"].dump().find("transform") != std::string::npos, "{}", verdicts.dump());
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(
      argc, argv, "limits_test.cpp",
      {GRAPH_TEST(test_product_in_panels), GRAPH_TEST(test_integers_in_panels),
       GRAPH_TEST(test_intermediates_over_the_limit), GRAPH_TEST(test_extents_that_no_kernel_takes), GRAPH_TEST(test_embedding_on_the_host), GRAPH_TEST(test_embedding_refused)});
}
