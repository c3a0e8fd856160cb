// The second run costs what the hundredth costs: no pipeline, no buffer, no allocation of the plugin and at most three
// objects of the graphics interface per run; inputs that did not change are not uploaded; every run gives the same
// bits.
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

constexpr int64_t kF32 = 1, kF64 = 11;

Floats real_numbers(size_t count, uint32_t seed) {
  Floats values = whole_numbers(count, seed, 1000);
  for (float& value : values) value /= 777;
  return values;
}

const Floats kWeight = real_numbers(64 * 64, 1);

Value layers(GraphBuilder& g, Value x) {
  const Value w = g.param("w", DBK_F32, {64, 64}, std::as_bytes(std::span(kWeight)));
  for (int i = 0; i < 3; ++i) x = g.node("Softmax", {g.node("Gelu", {g.node("MatMul", {x, w})})});
  return g.node("ReduceSum", {x, g.constant<int64_t>({1})});
}

void require_steady(daybreak::Executable& exec, uint64_t objects_per_run) {
  constexpr uint64_t kRuns = 10;
  daybreak::Run run(exec);
  const Floats data = real_numbers(17 * 64, 2);
  bind(run, "x", data, {17, 64});
  Floats result(17);
  run.bind_output(0, daybreak::MutableView(std::span(result), Dims{17, 1}));
  run.run();
  const Floats first = result;
  const dbk_stats before = exec.stats();
  for (uint64_t i = 0; i < kRuns; ++i) {
    std::fill(result.begin(), result.end(), -1.0f);
    run.run();
    require_same(result, first, "a later run");
  }
  const dbk_stats after = exec.stats();
  require_equal(after.runs - before.runs, kRuns, "runs counted");
  require_equal(after.pipelines_built, before.pipelines_built, "pipelines built");
  require_equal(after.buffers_created, before.buffers_created, "buffers created");
  require_equal(after.host_allocations, before.host_allocations, "host allocations");
  require(after.device_objects - before.device_objects <= objects_per_run * kRuns, "{} device objects in {} runs",
          after.device_objects - before.device_objects, kRuns);
  require_equal(after.replans, before.replans, "replans");
}

void test_steady_state() {
  GraphBuilder g;
  g.output(layers(g, g.input<float>("x", {17, 64})), "y");
  auto exec = prepare(g);
  const uint64_t built = exec.stats().pipelines_built;
  require_steady(exec, on_gpu() ? 3 : 0);
  require_equal(exec.stats().pipelines_built, built, "pipelines built after ready");
}

// Everything is built and tried in ready, and report "stats" says where its time went.
void test_time_of_compiling() {
  GraphBuilder g;
  g.output(layers(g, g.input<float>("x", {17, 64})), "y");
  const auto exec = prepare(g);
  const nlohmann::json report = nlohmann::json::parse(exec.report("stats"));
  const nlohmann::json& times = report.at("compile_stats");
  const auto number = [&](const char* name) { return times.at(name).get<uint64_t>(); };
  require(number("graph_nanoseconds") > 0 && number("ready_nanoseconds") > 0, "no time of compiling: {}", times.dump());
  const uint64_t parts = number("shader_nanoseconds") + number("pipeline_nanoseconds") + number("warm_up_nanoseconds");
  require(parts <= number("ready_nanoseconds"), "parts of ready take longer than all of it: {}", times.dump());
  if (!on_gpu()) return;
  require_equal(number("pipelines_built"), exec.stats().pipelines_built, "pipelines built");
  // Other tests of this process may have built all of its kernels.
  require(number("pipelines_built") + number("pipelines_shared") > 0, "no pipelines: {}", times.dump());
  require(number("pipelines_built") == 0 || (number("shader_nanoseconds") > 0 && number("pipeline_nanoseconds") > 0),
          "pipelines of no time: {}", times.dump());
  require(number("warm_up_nanoseconds") > 0, "nothing was tried: {}", times.dump());
}

void test_steady_state_with_symbols() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 50);
  g.output(layers(g, g.input<float>("x", {n, 64})), "y");
  auto exec = prepare(g);
  require_steady(exec, on_gpu() ? 3 : 0);
}

// A bind with other extents finds the pipelines that ready built, although it writes no text, and what it finds computes the right thing. The
// extents are such that kernels for vectors, for elements, for few rows and for rows of other lengths take turns.
void test_other_extents_write_no_texts() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 300), m = g.symbol("m", 1, 70);
  const Value x = g.input<float>("x", {n, m});
  const Value wide = g.node("Concat", {x, x}, {{"axis", int64_t{1}}});
  const Value scaled = g.node("Softmax", {g.node("MatMul", {g.node("Mul", {x, x}), g.node("Transpose", {x}, {{"perm", std::vector<int64_t>{1, 0}}})})});
  const Value sums = g.node("ReduceSum", {wide, g.constant<int64_t>({1})});
  g.output(g.node("Gelu", {g.node("Add", {g.node("ReduceMax", {scaled, g.constant<int64_t>({1})}), sums})}), "y");
  auto exec = prepare(g);
  const auto written = [&] { return report(exec, "stats").at("compile_stats").at("texts_written").get<uint64_t>(); };
  const dbk_stats before = exec.stats();
  const uint64_t texts = written();
  require(!on_gpu() || texts > 0, "no texts were written");
  daybreak::Run run(exec);
  for (const Dims& dims : {Dims{300, 70}, Dims{1, 1}, Dims{16, 64}, Dims{37, 33}, Dims{300, 4}, Dims{8, 70}, Dims{16, 64}}) {
    const Floats data = real_numbers(static_cast<size_t>(dims[0] * dims[1]), 8);
    const Floats result = run_once(run, data, dims);
    auto fresh = prepare(g);
    daybreak::Run other(fresh);
    require_same(result, run_once(other, data, dims), "a run that was bound to other extents before");
  }
  require_equal(written(), texts, "texts written");
  require_equal(exec.stats().pipelines_built, before.pipelines_built, "pipelines built");
}

// Where extents never change, ready makes the programs that run, and none of those that other extents would take.
void test_fixed_extents_write_what_runs() {
  GraphBuilder g(23);
  const Value x = g.input<float>("x", {1, 24, 64});
  const Value attended = g.node("Attention", {x, x, x}, {{"q_num_heads", int64_t{4}}, {"kv_num_heads", int64_t{4}}});
  const Value few = g.node("Attention", {g.input<float>("q", {1, 2, 64}), x, x}, {{"q_num_heads", int64_t{4}}, {"kv_num_heads", int64_t{4}}});
  g.output(layers(g, g.node("Reshape", {attended, g.constant<int64_t>({24, 64})})), "y");
  g.output(g.node("Softmax", {few}), "few");
  const auto exec = prepare(g, unfused());
  std::set<std::string> kernels;
  const nlohmann::json schedule = report(exec, "schedule");
  for (const nlohmann::json& segment : schedule.at("segments"))
    for (const nlohmann::json& step : segment.at("steps")) {
      const std::string names = step.at("kernel");
      for (const auto& name : std::views::split(names, std::string_view(" + "))) kernels.emplace(name.begin(), name.end());
    }
  const auto written = report(exec, "stats").at("compile_stats").at("texts_written").get<uint64_t>();
  if (on_gpu()) require_equal(written, kernels.size(), "texts written");
}

// Each side of an island is a submission of its own.
void test_steady_state_with_island() {
  GraphBuilder g;
  const Value wide = g.node("Cast", {layers(g, g.input<float>("x", {17, 64}))}, {{"to", kF64}});
  g.output(g.node("Neg", {g.node("Cast", {g.node("Mul", {wide, g.scalar(2.0)})}, {{"to", kF32}})}), "y");
  auto exec = prepare(g);
  require_steady(exec, on_gpu() ? 6 : 0);
}

// Much work is handed over in pieces; they are one run, and each makes as few objects as a short one. 50 steps move 10 GB.
void test_long_runs_are_submitted_in_pieces() {
  if (!on_gpu()) return;
  constexpr int64_t kSize = 25'000'000;
  GraphBuilder g;
  Value v = g.input<float>("x", {2});
  v = g.node("Expand", {g.node("Reshape", {v, g.constant<int64_t>({2, 1})}), g.constant<int64_t>({2, kSize / 2})});
  for (int i = 0; i < 54; ++i) v = g.node("Neg", {v});
  g.output(g.node("ReduceMax", {v, g.constant<int64_t>({1})}, {{"keepdims", int64_t{0}}}), "y");
  auto exec = prepare(g, unfused());
  daybreak::Run run(exec);
  require_same(run_once(run, {3, -5}, {2}), {3, -5}, "a long run");
  const dbk_stats before = run.stats();
  run.run();
  const dbk_stats after = run.stats();
  require_equal(after.segments - before.segments, 2u, "submissions");
  require_equal(after.device_objects - before.device_objects, 6u, "device objects");
}

void test_unchanged_inputs_are_not_uploaded() {
  GraphBuilder g;
  g.output(g.node("Neg", {g.input<float>("x", {100})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(100, 3);
  run_once(run, data, {100});
  run.run();
  run.run();
  const dbk_stats stats = run.stats();
  if (on_gpu()) {
    require_equal(stats.uploads, 1u, "uploads of a copied input");
    require_equal(stats.uploads_skipped, 2u, "uploads skipped");
    require_equal(stats.upload_bytes, 400u, "bytes uploaded");
  }
  run.run({.mode = DBK_RUN_FORCE_UPLOAD});
  if (on_gpu()) require_equal(run.stats().uploads, 2u, "uploads when forced");
}

void test_borrowed_input_is_read_again() {
  GraphBuilder g;
  g.output(g.node("Neg", {g.input<float>("x", {3})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  Floats data{1, 2, 3};
  run.bind_input("x", daybreak::View(std::span(data), Dims{3}), DBK_UNTIL_DESTROY);
  run.run();
  require_same(run.read<float>(0), {-1, -2, -3}, "first");
  data = {4, 5, 6};
  run.run();
  require_same(run.read<float>(0), {-4, -5, -6}, "after a change in place");
}

// Lent memory is compared with what was sent last: only what changed is uploaded.
void test_unchanged_lent_inputs_are_not_uploaded() {
  GraphBuilder g;
  g.output(g.node("Add", {g.input<float>("a", {100}), g.input<float>("b", {100})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  Floats a = whole_numbers(100, 5), b = whole_numbers(100, 6);
  run.bind_input("a", daybreak::View(std::span(a), Dims{100}), DBK_UNTIL_DESTROY);
  run.bind_input("b", daybreak::View(std::span(b), Dims{100}), DBK_UNTIL_EVENT);
  const auto check = [&](uint64_t uploads, uint64_t skipped, uint32_t mode = 0) {
    const dbk_stats before = run.stats();
    run.run({.mode = mode});
    Floats sum = a;
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
    require_same(run.read<float>(0), sum, "sum");
    if (!on_gpu()) return;
    require_equal(run.stats().uploads - before.uploads, uploads, "uploads");
    require_equal(run.stats().uploads_skipped - before.uploads_skipped, skipped, "uploads skipped");
  };
  check(2, 0);
  check(0, 2);
  b[99] = 77;
  check(1, 1);
  check(0, 2);
  b[98] = 78;
  check(2, 0, DBK_RUN_FORCE_UPLOAD);
  check(2, 0);  // of what was forced no copy is kept to compare with
  check(0, 2);
  const Floats other = whole_numbers(100, 7);
  run.bind_input("a", daybreak::View(std::span(other), Dims{100}));  // copied, then lent as before: the device has other bytes now
  const dbk_stats before = run.stats();
  run.run();
  if (on_gpu()) require_equal(run.stats().uploads - before.uploads, 1u, "uploads of another copy");
  run.bind_input("a", daybreak::View(std::span(a), Dims{100}), DBK_UNTIL_DESTROY);
  check(1, 1);
}

// Comparing what changes every time is given up, until something is bound anew.
void test_inputs_that_always_change() {
  GraphBuilder g;
  g.output(g.node("Neg", {g.input<float>("x", {10})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  Floats data(10);
  run.bind_input("x", daybreak::View(std::span(data), Dims{10}), DBK_UNTIL_DESTROY);
  for (int i = 0; i < 12; ++i) {
    data[9] = static_cast<float>(i);
    run.run();
    require_same(run.read<float>(0), negated(data), "result");
  }
  run.run();
  require_same(run.read<float>(0), negated(data), "the same again");
  if (on_gpu()) require_equal(run.stats().uploads_skipped, 0u, "uploads skipped");
}

// What is sent while nothing is compared is not what was compared last: when comparing begins again, any of the earlier
// bytes are news.
void test_comparing_begins_anew_after_it_was_given_up() {
  GraphBuilder g;
  g.output(g.node("Add", {g.input<float>("x", {10}), g.input<float>("other", {10})}), "y");
  auto exec = prepare(g);
  const Floats zeros(10);
  for (const bool bind_output : {true, false})
    for (int again = 0; again < 8; ++again) {
      daybreak::Run run(exec);
      Floats data(10), y(10);
      run.bind_input("x", daybreak::View(std::span(data), Dims{10}), DBK_UNTIL_EVENT);
      bind(run, "other", zeros, {10});
      for (int i = 0; i < 8; ++i) {
        data[9] = static_cast<float>(i);
        run.run();
      }
      if (bind_output)
        run.bind_output("y", daybreak::MutableView(std::span(y), Dims{10}));
      else
        bind(run, "other", zeros, {10});
      data[9] = static_cast<float>(again);
      run.run();
      require_same(bind_output ? y : run.read<float>(0), data, "result of bytes that were sent before");
    }
}

void test_same_bits_in_another_executable() {
  Floats results[2];
  for (Floats& result : results) {
    GraphBuilder g;
    g.output(layers(g, g.input<float>("x", {17, 64})), "y");
    auto exec = prepare(g);
    daybreak::Run run(exec);
    result = run_once(run, real_numbers(17 * 64, 4), {17, 64});
  }
  require_same(results[0], results[1], "a second executable");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "steady_test.cpp",
                   {GRAPH_TEST(test_steady_state), GRAPH_TEST(test_time_of_compiling), GRAPH_TEST(test_steady_state_with_symbols), GRAPH_TEST(test_other_extents_write_no_texts), GRAPH_TEST(test_fixed_extents_write_what_runs),
                    GRAPH_TEST(test_steady_state_with_island), GRAPH_TEST(test_long_runs_are_submitted_in_pieces), GRAPH_TEST(test_unchanged_inputs_are_not_uploaded),
                    GRAPH_TEST(test_borrowed_input_is_read_again), GRAPH_TEST(test_unchanged_lent_inputs_are_not_uploaded),
                    GRAPH_TEST(test_inputs_that_always_change), GRAPH_TEST(test_comparing_begins_anew_after_it_was_given_up),
                    GRAPH_TEST(test_same_bits_in_another_executable)});
}
