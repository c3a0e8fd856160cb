// Nodes over weights alone: computed when parameters are given, not in runs, and again exactly when they are replaced.
#include <cmath>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

const Floats kX{1, 2, 3, 4, 5, 6};

std::string where_of(const daybreak::Executable& exec, std::string_view name) {
  return placement_of(exec, name).at("where");
}

// x [2, 3] times the transposed of w [2, 3], whose columns are scaled: two nodes over weights.
struct Scaled {
  GraphBuilder g;
  Scaled(bool data) {
    const Value w = data ? g.param("w", std::span(w_), {2, 3}) : g.param<float>("w", {2, 3});
    const Value s = data ? g.param("s", std::span(s_), {2, 1}) : g.param<float>("s", {2, 1});
    const Value scaled = g.node(daybreak::Op("Mul").named("scale"), {w, s});
    const Value turned = g.node(daybreak::Op("Transpose").named("turn"), {scaled});
    g.output(g.node(daybreak::Op("MatMul").named("product"), {g.input<float>("x", {2, 3}), turned}), "y");
  }
  static inline const Floats w_{1, 2, 3, 4, 5, 6}, s_{2, 3};
  static Floats expected(const Floats& w, const Floats& s) {
    Floats y(4);
    for (size_t i = 0; i < 2; ++i)
      for (size_t j = 0; j < 2; ++j)
        for (size_t k = 0; k < 3; ++k) y[2 * i + j] += kX[3 * i + k] * w[3 * j + k] * s[j];
    return y;
  }
};

void test_weights_are_prepared() {
  Scaled scaled(true);
  auto exec = prepare(scaled.g);
  require_equal(where_of(exec, "scale"), std::string("prepared"), "place of 'scale'");
  require_equal(where_of(exec, "turn"), std::string("prepared"), "place of 'turn'");
  require_equal(where_of(exec, "product"), std::string(on_gpu() ? "gpu" : "cpu"), "place of 'product'");
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {2, 3}), Scaled::expected(Scaled::w_, Scaled::s_), "product");
}

void test_not_with_fusion_off() {
  Scaled scaled(true);
  auto exec = prepare(scaled.g, unfused());
  require(where_of(exec, "turn") != "prepared", "a node was moved although fusion is off");
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {2, 3}), Scaled::expected(Scaled::w_, Scaled::s_), "product");
}

void test_late_and_replaced_parameters() {
  Scaled scaled(false);
  auto exec = compile(scaled.g);
  Floats w = Scaled::w_, s = Scaled::s_;
  exec.set_param("w", std::span(w));
  require_failure(DBK_FAILED_PRECONDITION, {"'s'"}, [&] { exec.ready(); });
  exec.set_param("s", std::span(s));
  exec.ready();
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {2, 3}), Scaled::expected(w, s), "first");
  for (float change : {5.0f, -1.0f}) {
    s[1] = change;
    exec.set_param("s", std::span(s));
    exec.ready();
    run.run();
    require_same(run.read<float>(0), Scaled::expected(w, s), "after 's' was replaced");
    w[0] = change + 1;
    exec.set_param("w", std::span(w));
    exec.ready();
    run.run();
    require_same(run.read<float>(0), Scaled::expected(w, s), "after 'w' was replaced");
  }
}

// Two prepared weights; replacing the parameter of one leaves the other's bytes on the device.
void test_only_what_changed_is_prepared_again() {
  GraphBuilder g;
  const Floats a = whole_numbers(64 * 64, 1), b = whole_numbers(64 * 32, 2), c = whole_numbers(64 * 32, 3);
  const Value x = g.input<float>("x", {1, 64});
  const Value first = g.node("MatMul", {x, g.node("Neg", {g.param("a", std::span(a), {64, 64})})});
  g.output(g.node("MatMul", {first, g.node("Neg", {g.param("b", std::span(b), {64, 32})})}), "y");
  auto exec = prepare(g);
  const uint64_t before = exec.stats().upload_bytes;
  exec.set_param("b", std::span(c));
  exec.ready();
  if (on_gpu())
    require_equal(exec.stats().upload_bytes - before, uint64_t{64 * 32 * 4}, "bytes uploaded for a replacement");
  daybreak::Run run(exec);
  Floats unit(64);
  unit[3] = 1;
  Floats expected(32);
  for (size_t k = 0; k < 64; ++k)
    for (size_t j = 0; j < 32; ++j) expected[j] += a[3 * 64 + k] * c[k * 32 + j];
  require_same(run_once(run, unit, {1, 64}), expected, "row 3 of a c");
}

// A view of a weight costs no memory, and what is lent stays where it is.
void test_views_of_weights_add_no_memory() {
  GraphBuilder g;
  const Floats w = whole_numbers(64 * 64, 4);
  const Value flat = g.node(daybreak::Op("Reshape").named("flat"),
                            {g.param("w", std::span(w), {64, 64}), g.constant<int64_t>({4096})});
  g.output(g.node("Mul", {g.input<float>("x", {4096}), flat}), "y");
  auto exec = prepare(g);
  require_equal(where_of(exec, "flat"), std::string("prepared"), "place of 'flat'");
  require(exec.stats().weight_bytes < w.size() * 4 + 64, "{} bytes for a weight of {}", exec.stats().weight_bytes,
          w.size() * 4);
  daybreak::Run run(exec);
  const Floats x = whole_numbers(4096, 5);
  Floats expected;
  for (size_t i = 0; i < x.size(); ++i) expected.push_back(x[i] * w[i]);
  require_same(run_once(run, x, {4096}), expected, "x w");
}

// Weights of 8 bits, as quantised models store them: Cast and scale happen before runs, on every device.
void test_dequantised_weights() {
  GraphBuilder g;
  std::vector<int8_t> q(12);
  for (size_t i = 0; i < q.size(); ++i) q[i] = static_cast<int8_t>(i * 20 - 100);
  const Floats scale{0.5f, 0.25f, 2, 1};
  const Value wide =
      g.node(daybreak::Op("Cast").named("wide"), {g.param("q", std::span<const int8_t>(q), {3, 4})}, {{"to", 1}});
  const Value w = g.node("Mul", {wide, g.param("scale", std::span(scale), {4})});
  g.output(g.node("MatMul", {g.input<float>("x", {2, 3}), w}), "y");
  auto exec = prepare(g);
  require_equal(where_of(exec, "wide"), std::string("prepared"), "place of 'wide'");
  daybreak::Run run(exec);
  Floats expected(8);
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 4; ++j)
      for (size_t k = 0; k < 3; ++k) expected[4 * i + j] += kX[3 * i + k] * q[4 * k + j] * scale[j];
  require_same(run_once(run, kX, {2, 3}), expected, "x w");
}

// A prepared value may be an output of the graph and be read by nodes besides.
void test_prepared_output() {
  GraphBuilder g;
  const Floats w{1, -2, 3, -4, 5, -6};
  const Value negative = g.node("Neg", {g.param("w", std::span(w), {6})});
  g.output(negative, "n");
  g.output(g.node("Add", {g.input<float>("x", {6}), negative}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {6}), {-1, 2, -3, 4, -5, 6}, "-w");
  require_same(run.read<float>(1), {0, 4, 0, 8, 0, 12}, "x - w");
}

// What a node over weights cannot compute is told by ready, with the node's name; another parameter mends it.
void test_failing_preparation() {
  GraphBuilder g;
  const Floats table{1, 2, 3};
  const std::vector<int64_t> outside{7}, inside{2};
  const Value picked = g.node(daybreak::Op("Gather").named("pick"),
                              {g.param("table", std::span(table), {3}), g.param<int64_t>("i", {1})});
  g.output(g.node("Mul", {g.input<float>("x", {6}), picked}), "y");
  auto exec = compile(g);
  exec.set_param("i", std::span(outside));
  require_failure(DBK_OUT_OF_RANGE, {"'pick'"}, [&] { exec.ready(); });
  exec.set_param("i", std::span(inside));
  exec.ready();
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {6}), {3, 6, 9, 12, 15, 18}, "3 x");
}

// A large result of small weights stays with the run.
void test_growth_is_not_prepared() {
  GraphBuilder g;
  const Floats row = whole_numbers(300, 6), column = whole_numbers(300, 7);
  const Value table = g.node(daybreak::Op("Mul").named("outer"), {g.param("row", std::span(row), {1, 300}),
                                                                  g.param("column", std::span(column), {300, 1})});
  g.output(g.node("MatMul", {g.input<float>("x", {1, 300}), table}), "y");
  auto exec = prepare(g);
  require(where_of(exec, "outer") != "prepared", "360 kB were made of 2.4 kB");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "prologue_test.cpp",
                   {GRAPH_TEST(test_weights_are_prepared), GRAPH_TEST(test_not_with_fusion_off),
                    GRAPH_TEST(test_late_and_replaced_parameters), GRAPH_TEST(test_only_what_changed_is_prepared_again),
                    GRAPH_TEST(test_views_of_weights_add_no_memory), GRAPH_TEST(test_dequantised_weights),
                    GRAPH_TEST(test_prepared_output), GRAPH_TEST(test_failing_preparation),
                    GRAPH_TEST(test_growth_is_not_prepared)});
}
