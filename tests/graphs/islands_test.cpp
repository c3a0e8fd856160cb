// Nodes that a GPU cannot run, between nodes that it can: right results, one host island for neighbours, and exactly
// the bytes of the values that cross. On the CPU there is nothing to cross, and where host and device share memory nothing is copied.
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

constexpr int64_t kF32 = 1, kI32 = 6, kF64 = 11;

Value cast(GraphBuilder& g, Value value, int64_t to) { return g.node("Cast", {value}, {{"to", to}}); }

// Relu, then 3 x in f64, then Neg.
Value through_doubles(GraphBuilder& g, Value x) {
  const Value wide = cast(g, g.node("Relu", {x}), kF64);
  return g.node("Neg", {cast(g, g.node("Mul", {wide, g.scalar(3.0)}), kF32)});
}

Floats through_doubles(const Floats& x) {
  Floats result;
  for (float value : x) result.push_back(-3 * std::max(value, 0.0f));
  return result;
}

void require_islands(const daybreak::Run& run, uint64_t islands, uint64_t bytes) {
  const dbk_stats stats = run.stats();
  require_equal(stats.host_islands, on_gpu() ? islands : 0, "host islands");
  require_equal(stats.island_bytes, on_gpu() && !shared_memory() ? bytes : 0, "bytes moved for islands");
}

void test_one_island() {
  GraphBuilder g;
  g.output(through_doubles(g, g.input<float>("x", {7, 11})), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(77, 1);
  require_same(run_once(run, data, {7, 11}), through_doubles(data), "result");
  require_islands(run, 1, 2 * 77 * 4);
  run.run();
  require_islands(run, 2, 4 * 77 * 4);
}

// Time that is not the device's is the host's: some where there are islands, none where not.
void test_time_of_islands() {
  for (const bool island : {false, true}) {
    GraphBuilder g;
    const Value x = g.input<float>("x", {1024});
    g.output(island ? through_doubles(g, x) : g.node("Relu", {x}), "y");
    auto exec = prepare(g);
    daybreak::Run run(exec);
    run_once(run, whole_numbers(1024, 1), {1024});
    const nlohmann::json stats = nlohmann::json::parse(run.report("stats"));
    const uint64_t all = stats.at("run_nanoseconds"), device = stats.at("device_nanoseconds");
    require(device > 0 && device <= all, "{} ns of {} are the device's", device, all);
    const nlohmann::json whole = report(exec, "stats");
    require_equal(whole.at("run_nanoseconds").get<uint64_t>(), all, "time of the executable's only run");
    if (!on_gpu()) require_equal(device, all, "nanoseconds of the CPU");
    // Outside of both are a few calls.
    require(!on_gpu() || !island || all - device > 1000, "{} ns of {} are the device's, with an island", device, all);
  }
}

// The caller may keep operators on the host: all nodes of them, and what was fused with them.
void test_caller_chooses_the_host() {
  const auto build = [](GraphBuilder& g) {
    const Value x = g.input<float>("x", {7, 11});
    const Value row = g.node(daybreak::Op("ReduceMax").named("row"), {g.node("Relu", {x}), g.constant<int64_t>({1})});
    g.output(g.node("Neg", {row}), "y");
  };
  const auto options = [](const char* ops) { return daybreak::Options().set("host_ops", ops); };
  Floats results[2];
  for (bool kept : {false, true}) {
    GraphBuilder g;
    build(g);
    auto exec = prepare(g, options(kept ? " Conv, ai.onnx.ReduceMax ,com.microsoft.FusedGemm" : ""));
    const nlohmann::json node = placement_of(exec, "row");
    require_equal(node.at("where").get<std::string>(), !on_gpu() ? "cpu" : kept ? "host" : "gpu", "place");
    if (on_gpu() && kept) require_equal(node.at("reason").get<std::string>(), "option host_ops", "reason");
    daybreak::Run run(exec);
    results[kept] = run_once(run, whole_numbers(77, 1), {7, 11});
    require_islands(run, kept ? 1 : 0, kept ? (77 + 7) * 4 : 0);
  }
  require_same(results[1], results[0], "with the host's part");
  GraphBuilder g;
  build(g);
  require_failure(DBK_INVALID_ARGUMENT, {"host_ops", "'Reduce'"}, [&] { compile(g, options("Relu,Reduce")); });
  if (!on_gpu()) return;
  require_failure(DBK_UNIMPLEMENTED, {"require_gpu", "row", "host_ops"},
                  [&] { compile(g, options("ReduceMax").set("policy", "require_gpu")); });
}

void test_placement_names_reasons() {
  GraphBuilder g;
  g.output(through_doubles(g, g.input<float>("x", {7})), "y");
  const auto exec = compile(g);
  const nlohmann::json placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes")) {
    const std::string op = node.at("op"), where = node.at("where"), reason = node.at("reason");
    const bool wide = op == "Mul" || op == "Cast";
    require(where == (!on_gpu() ? "cpu" : wide ? "host" : "gpu"), "{} is on {}", op, where);
    require(!on_gpu() || reason.empty() != wide, "{} on {} has the reason '{}'", op, where, reason);
  }
}

void test_two_islands() {
  GraphBuilder g;
  g.output(through_doubles(g, through_doubles(g, g.input<float>("x", {65}))), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(65, 2);
  require_same(run_once(run, data, {65}), through_doubles(through_doubles(data)), "result");
  require_islands(run, 2, 4 * 65 * 4);
}

// The island reads a graph input and a value of the device, and writes an output: nothing to upload but that output.
void test_island_at_the_end() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {9});
  const Value wide = g.input<double>("n", {9});
  g.output(g.node("Add", {cast(g, g.node("Abs", {x}), kF64), wide}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(9, 3);
  const std::vector<double> large{0x1p40, -5, 0, 7, -0x1p50, 1, 2, 3, 4};
  bind(run, "x", data, {9});
  run.bind_input("n", daybreak::View(std::span(large), Dims{9}));
  run.run();
  const auto result = run.read<double>("y");
  for (size_t i = 0; i < 9; ++i) require_equal(result[i], large[i] + static_cast<double>(std::abs(data[i])), "sum");
  require_islands(run, 1, 9 * 4 + 9 * 8 + 9 * 8);  // both terms down, their sum up: the host casts
}

// A value that two islands read crosses once.
void test_shared_operand_crosses_once() {
  GraphBuilder g;
  const Value a = g.node("Relu", {g.input<float>("x", {33})});
  const Value first = cast(g, g.node("Mul", {cast(g, a, kF64), g.scalar(2.0)}), kF32);
  const Value middle = g.node("Neg", {first});
  const Value second = cast(g, g.node("Add", {cast(g, a, kF64), cast(g, middle, kF64)}), kF32);
  g.output(g.node("Abs", {second}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(33, 4);
  Floats expected;
  for (float value : data) expected.push_back(std::max(value, 0.0f));
  require_same(run_once(run, data, {33}), expected, "|a - 2 a|");
  require_islands(run, 2, (1 + 1 + 1 + 1) * 33 * 4);  // a down, first up, middle down, second up
}

void test_weight_on_both_sides() {
  const std::vector<int32_t> weight{1, -2, 3, -4};
  GraphBuilder g;
  const Value w = g.param("w", DBK_I32, {4}, std::as_bytes(std::span(weight)));
  const Value doubled = cast(g, g.node("Add", {cast(g, w, kF64), cast(g, g.input<int32_t>("x", {4}), kF64)}), kI32);
  g.output(g.node("Mul", {doubled, w}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const std::vector<int32_t> x{10, 20, 30, 40};
  run.bind_input("x", daybreak::View(std::span(x), Dims{4}));
  run.run();
  require(run.read<int32_t>("y") == std::vector<int32_t>({11, -36, 99, -144}), "(w + x) w is wrong");
  require_islands(run, 1, 4 * 4 + 4 * 4);  // x down, the sum up, which the host has cast; it has weights anyway
}

// Buffers of the caller are not mapped: what crosses from and to them is copied, whoever shares memory. An arena between stays where it is.
void test_buffers_of_the_caller() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {50});
  const Value wide = cast(g, x, kF64);
  g.output(through_doubles(g, cast(g, g.node("Mul", {wide, wide}), kF32)), "inner");
  g.output(cast(g, g.node("Add", {wide, g.scalar(1.0)}), kF32), "y");
  auto exec = prepare(g);
  const Floats data = whole_numbers(50, 5);
  daybreak::Buffer from = context().buffer(200, device().index), to = context().buffer(200, device().index);
  from.write(std::as_bytes(std::span(data)));
  daybreak::Run run(exec);
  run.bind_buffer(DBK_INPUT, 0, from, DBK_F32, Dims{50});
  run.bind_buffer(DBK_OUTPUT, 1, to, DBK_F32, Dims{50});
  for (int round = 1; round <= 2; ++round) {
    run.run();
    Floats squares, next, y(50);
    for (float value : data) squares.push_back(value * value), next.push_back(value + 1);
    to.read(std::as_writable_bytes(std::span(y)));
    require_same(run.read<float>(0), through_doubles(squares), "through arenas");
    require_same(y, next, "in the caller's buffer");
    const dbk_stats stats = run.stats();
    const uint64_t rounds = static_cast<uint64_t>(round);
    if (on_gpu()) require_equal(stats.island_bytes, rounds * (shared_memory() ? 2 : 5) * 200, "bytes moved for islands");
  }
}

// A run that fails in an island leaves nothing mapped: the next one works.
void test_after_a_failure_in_an_island() {
  GraphBuilder g;
  const Value x = g.node("Relu", {g.input<float>("x", {4})});
  const Value picked = g.node(daybreak::Op("Gather").named("pick"), {cast(g, x, kF64), g.input<int64_t>("ids", {2})});
  g.output(g.node("Neg", {cast(g, picked, kF32)}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 2, 3, 4}, {4});
  const auto pick = [&](const std::vector<int64_t>& ids) {
    run.bind_input("ids", daybreak::View(std::span(ids), Dims{2}));
    run.run();
    return run.read<float>(0);
  };
  for (int round = 0; round < 2; ++round) {
    require_failure(DBK_OUT_OF_RANGE, {"pick"}, [&] { pick({0, 9}); });
    require_same(pick({3, 1}), {-4, -2}, "after the failure");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "islands_test.cpp",
                   {GRAPH_TEST(test_one_island), GRAPH_TEST(test_time_of_islands), GRAPH_TEST(test_caller_chooses_the_host), GRAPH_TEST(test_placement_names_reasons), GRAPH_TEST(test_two_islands),
                    GRAPH_TEST(test_island_at_the_end), GRAPH_TEST(test_shared_operand_crosses_once),
                    GRAPH_TEST(test_weight_on_both_sides), GRAPH_TEST(test_buffers_of_the_caller),
                    GRAPH_TEST(test_after_a_failure_in_an_island)});
}
