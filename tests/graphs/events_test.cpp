// Work in flight: events and their deadlines, wait lists, cancelling, several runs of one executable, reads of parts, and buffers
// that carry the output of one run to the input of the next.
#include <chrono>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using namespace std::chrono_literals;
using daybreak::Event;
using daybreak::Run;

// A run that keeps the device busy for a good part of a second.
struct Long {
  static constexpr int64_t kSize = 512;
  daybreak::Executable exec;
  Floats data = whole_numbers(kSize * kSize, 1, 1);
  Run run;
  Long() : exec(make()), run(exec) { bind(run, "x", data, {kSize, kSize}); }

  static daybreak::Executable make() {
    GraphBuilder g;
    const Value x = g.input<float>("x", {kSize, kSize});
    Value v = x;
    for (int i = 0; i < 40; ++i) v = g.node("Min", {g.node("MatMul", {v, x}), g.scalar(1.0f)});
    g.output(v, "y");
    return prepare(g);
  }
};

daybreak::Executable make_negation(int64_t size) {
  GraphBuilder g;
  g.output(g.node("Neg", {g.input<float>("x", {size})}), "y");
  return prepare(g);
}

Floats negated(Floats values) {
  for (float& value : values) value = -value;
  return values;
}

void test_event_with_deadline() {
  Long work;
  const Event done = work.run.submit();
  require(!done.done(), "a long run is done at once");
  const auto start = std::chrono::steady_clock::now();
  const bool early = done.wait_for(5ms);
  const auto waited = std::chrono::steady_clock::now() - start;
  require(!early && waited >= 5ms, "the wait ended before its deadline");
  require_failure(DBK_FAILED_PRECONDITION, {"in flight"}, [&] { work.run.run(); });
  require_failure(DBK_FAILED_PRECONDITION, {"in flight"}, [&] { bind(work.run, "x", work.data, {Long::kSize, Long::kSize}); });
  done.wait();
  require(done.done() && done.wait_for(0ns), "a finished event is not done");
}

void test_event_outlives_its_run() {
  Event done;
  {
    auto exec = make_negation(3);
    Run run(exec);
    bind(run, "x", {1, 2, 3}, {3});
    done = run.submit();
  }
  done.wait();
  require(done.done(), "the event of a destroyed run is not done");
}

void test_cancel_behind_other_work() {
  Long work;
  auto exec = make_negation(3);
  Run run(exec);
  bind(run, "x", {1, 2, 3}, {3});
  const Event busy = work.run.submit(), queued = run.submit();
  run.cancel();
  require_failure(DBK_CANCELLED, {"cancelled"}, [&] { queued.wait(); });
  busy.wait();
  require_failure(DBK_FAILED_PRECONDITION, {}, [&] { run.read<float>(0); });
  run.run();
  require_same(run.read<float>(0), {-1, -2, -3}, "a run after being cancelled");
}

void test_cancel_without_work_is_nothing() {
  auto exec = make_negation(3);
  Run run(exec);
  run.cancel();
  require_same(run_once(run, {1, 2, 3}, {3}), {-1, -2, -3}, "a run after a cancel before it");
}

// b = -a in one run, c = |b| in the next, through one buffer and without the host waiting in between.
void test_buffers_chain_runs() {
  constexpr int64_t kSize = 10001;
  GraphBuilder g;
  g.output(g.node("Abs", {g.input<float>("x", {kSize})}), "y");
  auto negate = make_negation(kSize), magnitude = prepare(g);
  daybreak::Buffer between = context().buffer(kSize * 4 + 512, device().index);
  Run first(negate), second(magnitude);
  const Floats data = whole_numbers(kSize, 2);
  bind(first, "x", data, {kSize});
  first.bind_buffer(DBK_OUTPUT, "y", between, DBK_F32, {kSize}, 256);
  second.bind_buffer(DBK_INPUT, "x", between, DBK_F32, {kSize}, 256);
  const Event made = first.submit();
  const Event* wait[] = {&made};
  second.submit({.wait = wait}).wait();
  Floats expected;
  for (float value : data) expected.push_back(std::abs(value));
  require_same(second.read<float>(0), expected, "|-x|");
  require_same(first.read<float>(0), negated(data), "the buffer between");
}

void test_failure_travels_along_wait_lists() {
  GraphBuilder g;
  g.output(g.node(daybreak::Op("Gather").named("lookup"), {g.input<float>("x", {2}), g.input<int64_t>("i", {1})}), "y");
  auto gather = prepare(g), negate = make_negation(3);
  Run failing(gather), waiting(negate);
  const std::vector<int64_t> bad{9};
  bind(failing, "x", {1, 2}, {2});
  failing.bind_input("i", daybreak::View(std::span(bad), Dims{1}));
  bind(waiting, "x", {1, 2, 3}, {3});
  const Event failed = failing.submit();
  const Event* wait[] = {&failed};
  const Event after = waiting.submit({.wait = wait});
  require_failure(DBK_OUT_OF_RANGE, {"lookup"}, [&] { failed.wait(); });
  require_failure(DBK_OUT_OF_RANGE, {"lookup"}, [&] { after.wait(); });
  waiting.run();
  require_same(waiting.read<float>(0), {-1, -2, -3}, "the run afterwards");
}

void test_several_runs_in_flight() {
  constexpr size_t kRuns = 6;
  constexpr int64_t kSize = 4097;
  auto exec = make_negation(kSize);
  std::vector<Run> runs;
  std::vector<Floats> inputs, outputs(kRuns, Floats(kSize));
  std::vector<Event> events;
  for (uint32_t i = 0; i < kRuns; ++i) {
    runs.emplace_back(exec);
    inputs.push_back(whole_numbers(kSize, 10 + i));
    bind(runs[i], "x", inputs[i], {kSize});
    if (i % 2) runs[i].bind_output(0, daybreak::MutableView(std::span(outputs[i]), Dims{kSize}));
  }
  for (int round = 0; round < 3; ++round) {
    events.clear();
    for (Run& run : runs) events.push_back(run.submit());
    for (const Event& event : events) event.wait();
    for (uint32_t i = 0; i < kRuns; ++i)
      require_same(i % 2 ? outputs[i] : runs[i].read<float>(0), negated(inputs[i]), ("run " + std::to_string(i)).c_str());
  }
  require_equal(exec.stats().runs, uint64_t{3 * kRuns}, "runs counted");
}

void test_parameters_cannot_change_in_flight() {
  Long work;
  GraphBuilder g;
  g.output(g.node("Add", {g.input<float>("x", {3}), g.param<float>("w", {3})}), "y");
  auto exec = compile(g);
  const Floats w{1, 1, 1};
  exec.set_param("w", std::span(w));
  exec.ready();
  Run run(exec);
  bind(run, "x", {1, 2, 3}, {3});
  const Event busy = work.run.submit(), queued = run.submit();
  require_failure(DBK_FAILED_PRECONDITION, {"in flight"}, [&] { exec.set_param("w", std::span(w)); });
  queued.wait();
  exec.set_param("w", std::span(w));
}

void test_reads_of_parts() {
  constexpr int64_t kSize = 1000;
  auto exec = make_negation(kSize);
  Run run(exec);
  const Floats data = whole_numbers(kSize, 3), all = negated(data);
  require_failure(DBK_FAILED_PRECONDITION, {}, [&] { run.read<float>(0); });
  require_same(run_once(run, data, {kSize}), all, "all");
  Floats part(7);
  for (uint64_t first : {0u, 1u, 63u, 993u}) {
    run.read_bytes(0, std::as_writable_bytes(std::span(part)), first * 4);
    require_same(part, Floats(all.begin() + static_cast<ptrdiff_t>(first), all.begin() + static_cast<ptrdiff_t>(first) + 7), "part");
  }
  std::byte odd[3];  // no element, no multiple of four
  run.read_bytes(0, odd, 4001 - 3 - 1);
  require(std::memcmp(odd, reinterpret_cast<const std::byte*>(all.data()) + 3997, 3) == 0, "bytes at 3997 are wrong");
  require_failure(DBK_OUT_OF_RANGE, {"y"}, [&] { run.read_bytes(0, odd, 3998); });
  const Event read = run.read_bytes_later(0, std::as_writable_bytes(std::span(part)), 400);
  read.wait();
  require_same(part, Floats(all.begin() + 100, all.begin() + 107), "part read later");
}

void test_read_without_readback() {
  auto exec = make_negation(5);
  Run run(exec);
  const Floats data{1, 2, 3, 4, 5};
  bind(run, "x", data, {5});
  run.run({.mode = DBK_RUN_NO_READBACK});
  require_same(run.read<float>(0), negated(data), "read");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "events_test.cpp",
                   {GRAPH_TEST(test_event_with_deadline), GRAPH_TEST(test_event_outlives_its_run), GRAPH_TEST(test_cancel_behind_other_work),
                    GRAPH_TEST(test_cancel_without_work_is_nothing), GRAPH_TEST(test_buffers_chain_runs),
                    GRAPH_TEST(test_failure_travels_along_wait_lists), GRAPH_TEST(test_several_runs_in_flight),
                    GRAPH_TEST(test_parameters_cannot_change_in_flight), GRAPH_TEST(test_reads_of_parts), GRAPH_TEST(test_read_without_readback)});
}
