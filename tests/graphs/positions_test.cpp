// Numbers that point into caches: positions of rotary embeddings, write indices of TensorScatter, lengths of padded keys. One that is out
// of range fails the run on every device alike, names its node, and leaves nothing behind.
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Op;
using Numbers = std::vector<int64_t>;

constexpr int64_t kBeyond32Bits = (int64_t{1} << 32) + 1;

// Runs with the numbers as input `at`.
Floats run_with(daybreak::Run& run, const Numbers& at, const Dims& dims) {
  run.bind_input("at", daybreak::View(std::span(at), dims));
  run.run();
  return run.read<float>(0);
}

// The node is called "pointed".
void require_refused(daybreak::Run& run, const Dims& dims, const Numbers& good, const std::vector<Numbers>& bad) {
  const Floats expected = run_with(run, good, dims);
  for (const Numbers& at : bad) {
    require_failure(DBK_OUT_OF_RANGE, {"pointed"}, [&] { run_with(run, at, dims); });
    require_same(run_with(run, good, dims), expected, "after a number out of range");
  }
}

void test_rotary_positions() {
  GraphBuilder g(23);
  const Value x = g.input<float>("x", {1, 1, 2, 4}), angles = g.input<float>("angles", {3, 2});
  g.output(g.node(Op("RotaryEmbedding").named("pointed"), {x, angles, angles, g.input<int64_t>("at", {1, 2})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 2, 4});
  bind(run, "angles", {1, 2, 3, 4, 5, 6}, {3, 2});
  require_same(run_with(run, {0, 2}, {1, 2}), {1 - 3, 4 - 8, 1 + 3, 4 + 8, 25 - 35, 36 - 48, 25 + 35, 36 + 48}, "rotated");
  require_refused(run, {1, 2}, {0, 2}, {{0, 3}, {-1, 0}, {0, kBeyond32Bits}});
}

void test_first_rotary_position() {
  GraphBuilder g(20);
  const Value x = g.input<float>("x", {1, 1, 2, 4}), angles = g.input<float>("angles", {3, 2});
  g.output(g.node(Op("RotaryEmbedding").in("com.microsoft").named("pointed"), {x, g.input<int64_t>("at", {1}), angles, angles}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 2, 4});
  bind(run, "angles", {1, 2, 3, 4, 5, 6}, {3, 2});
  require_refused(run, {1}, {1}, {{2}, {-1}, {kBeyond32Bits}, {INT64_MAX}});
}

void test_write_indices() {
  for (const char* mode : {"linear", "circular"}) {
    GraphBuilder g(24);
    const Value cache = g.input<float>("cache", {1, 3, 1}), update = g.input<float>("update", {1, 2, 1});
    g.output(g.node(Op("TensorScatter").named("pointed"), {cache, update, g.input<int64_t>("at", {1})}, {{"mode", mode}}), "y");
    auto exec = prepare(g);
    daybreak::Run run(exec);
    bind(run, "cache", {1, 2, 3}, {1, 3, 1});
    bind(run, "update", {7, 8}, {1, 2, 1});
    require_same(run_with(run, {1}, {1}), {1, 7, 8}, "written");
    const bool linear = std::string_view(mode) == "linear";
    if (!linear) require_same(run_with(run, {5}, {1}), {8, 2, 7}, "written around the end");
    require_refused(run, {1}, {1}, {{linear ? 2 : int64_t{1} << 31}, {-1}, {kBeyond32Bits}});
  }
}

void test_lengths() {
  GraphBuilder g(24);
  const Value q = g.input<float>("q", {1, 1, 1, 1}), k = g.input<float>("k", {1, 1, 3, 1}), v = g.input<float>("v", {1, 1, 3, 1});
  g.output(g.node(Op("Attention").named("pointed"), {q, k, v, daybreak::absent, daybreak::absent, daybreak::absent, g.input<int64_t>("at", {1})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "q", {0}, {1, 1, 1, 1});
  bind(run, "k", {1, 2, 3}, {1, 1, 3, 1});
  bind(run, "v", {1, 3, 11}, {1, 1, 3, 1});
  require_same(run_with(run, {2}, {1}), {2}, "the mean of two");
  require_same(run_with(run, {0}, {1}), {0}, "of none");
  require_refused(run, {1}, {3}, {{4}, {-1}, {kBeyond32Bits}});
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "positions_test.cpp",
                   {GRAPH_TEST(test_rotary_positions), GRAPH_TEST(test_first_rotary_position), GRAPH_TEST(test_write_indices), GRAPH_TEST(test_lengths)});
}
