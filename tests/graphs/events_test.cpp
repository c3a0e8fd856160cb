// Work in flight: events and their deadlines, wait lists that carry failures, cancelling, and what is refused
// meanwhile.
#include <chrono>
#include <thread>

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

// A run that ends when somebody cancels it.
struct Endless {
  daybreak::Executable exec;
  Run run;
  Event done;
  explicit Endless(uint32_t device) : exec(make(device)), run(exec) {
    bind(run, "x", {1, 2, 3}, {3});
    done = run.submit();
  }
  ~Endless() { run.cancel(); }

  static daybreak::Executable make(uint32_t device) {
    GraphBuilder g;
    const Value x = g.input<float>("x", {3});
    const auto body = g.body("body", [&] {
      g.input<int64_t>("i", {});
      const Value going = g.input("going", DBK_BOOL, {});
      const Value state = g.input<float>("state", {3});
      g.output(g.node("Identity", {going}));
      g.output(g.node("Neg", {state}));
    });
    g.output(g.node("Loop", {g.scalar(INT64_MAX), daybreak::absent, x}, {{"body", body}}), "y");
    daybreak::Executable exec = context().compile(g, {.device = device});
    exec.ready();
    return exec;
  }
};

void test_event_with_deadline() {
  Long work;
  const Event done = work.run.submit();
  require(!done.done(), "a long run is done at once");
  const auto start = std::chrono::steady_clock::now();
  const bool early = done.wait_for(5ms);
  const auto waited = std::chrono::steady_clock::now() - start;
  require(!early && waited >= 5ms, "the wait ended before its deadline");
  require_failure(DBK_FAILED_PRECONDITION, {"in flight"}, [&] { work.run.run(); });
  require_failure(DBK_FAILED_PRECONDITION, {"in flight"},
                  [&] { bind(work.run, "x", work.data, {Long::kSize, Long::kSize}); });
  done.wait();
  require(done.done() && done.wait_for(0ns), "a finished event is not done");
}

void test_polling_allocates_nothing() {
  Long work;
  auto exec = negation(3);
  Run run(exec);
  bind(run, "x", {1, 2, 3}, {3});
  const Event busy = work.run.submit(), queued = run.submit();
  const uint64_t before = context().stats().host_allocations;
  for (int i = 0; i < 100; ++i) require(!queued.done(), "a run behind a long one is done at once");
  require_equal(context().stats().host_allocations, before, "host allocations");
  run.cancel();
  require_failure(DBK_CANCELLED, {"cancelled"}, [&] { queued.wait(); });
  require_failure(DBK_CANCELLED, {"cancelled"}, [&] { queued.done(); });
  busy.wait();
}

void test_event_outlives_its_run() {
  Event done;
  {
    auto exec = negation(3);
    Run run(exec);
    bind(run, "x", {1, 2, 3}, {3});
    done = run.submit();
  }
  done.wait();
  require(done.done(), "the event of a destroyed run is not done");
}

void test_cancel_behind_other_work() {
  Long work;
  auto exec = negation(3);
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

// What it waits for may last: neither the run nor what is queued behind it on its device has to.
void test_cancel_while_waiting_for_another_device() {
  if (!on_gpu()) return;
  const Endless endless(/*device=*/context().device_count() - 1);  // the CPU
  auto exec = negation(3);
  for (const auto pause : {0ms, 100ms}) {  // before and while the device's thread waits
    Run waiting(exec), behind(exec);
    bind(waiting, "x", {1, 2, 3}, {3});
    bind(behind, "x", {4, 5, 6}, {3});
    const Event* wait[] = {&endless.done};
    const Event done = waiting.submit({.wait = wait});
    const Event after = behind.submit();
    std::this_thread::sleep_for(pause);
    waiting.cancel();
    require_failure(DBK_CANCELLED, {"cancelled"}, [&] { require(done.wait_for(30s), "a cancelled run goes on waiting"); });
    after.wait();
    require_same(behind.read<float>(0), {-4, -5, -6}, "the run behind");
    waiting.run();
    require_same(waiting.read<float>(0), {-1, -2, -3}, "the run afterwards");
  }
  require(!endless.done.done(), "what the cancelled run waited for has ended, too");
}

// A run that is submitted in pieces, of 10 GB of memory moved each, ends before the last one.
void test_cancel_between_submissions() {
  if (!on_gpu()) return;
  constexpr int64_t kSize = 25'000'000;
  GraphBuilder g;
  Value v = g.node("Expand", {g.input<float>("x", {1}), g.constant<int64_t>({kSize})});
  for (int i = 0; i < 110; ++i) v = g.node("Neg", {v});
  g.output(g.node("ReduceMax", {v, g.constant<int64_t>({0})}), "y");
  auto exec = prepare(g, unfused());
  Run run(exec);
  bind(run, "x", {3}, {1});
  const Event busy = run.submit();
  if (busy.wait_for(50ms)) return;  // nothing is left to cancel
  run.cancel();
  require_failure(DBK_CANCELLED, {"cancelled"}, [&] { busy.wait(); });
  run.run();
  require_same(run.read<float>(0), {3}, "a run after being cancelled");
}

// Of several submissions of one run a cancel reaches the one that it names, also where it comes right after it, or when the next is in flight.
void test_cancel_of_one_submission() {
  auto exec = negation(3);
  Run run(exec);
  bind(run, "x", {1, 2, 3}, {3});
  const Event first = run.submit();
  first.wait();
  const auto behind_another = [&](const std::function<void(const Event&)>& meanwhile) {
    Event queued;
    const Endless before(device().index);
    queued = run.submit();
    meanwhile(queued);
    return queued;
  };
  const Event second = behind_another([&](const Event&) { first.cancel(); });
  second.wait();
  const Event third = behind_another([](const Event& queued) { queued.cancel(); });
  require_failure(DBK_CANCELLED, {"cancelled"}, [&] { third.wait(); });
  const Event fourth = behind_another([&](const Event&) { third.cancel(), second.cancel(); });
  fourth.wait();
  first.wait();  // as it was
  require_same(run.read<float>(0), {-1, -2, -3}, "the run afterwards");
}

void test_reads_are_not_cancelled() {
  auto exec = negation(3);
  Run run(exec);
  run_once(run, {1, 2, 3}, {3});
  Floats y(3);
  Event read;
  {
    const Endless before(device().index);
    read = run.read_bytes_later(0, std::as_writable_bytes(std::span(y)));
    read.cancel();
    run.cancel();
  }
  read.wait();
  require_same(y, {-1, -2, -3}, "what was read");
}

void test_cancel_without_work_is_nothing() {
  auto exec = negation(3);
  Run run(exec);
  run.cancel();
  require_same(run_once(run, {1, 2, 3}, {3}), {-1, -2, -3}, "a run after a cancel before it");
}

void test_failure_travels_along_wait_lists() {
  GraphBuilder g;
  g.output(g.node(daybreak::Op("Gather").named("lookup"), {g.input<float>("x", {2}), g.input<int64_t>("i", {1})}), "y");
  auto gather = prepare(g), negate = negation(3);
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

}  // namespace

int main(int argc, char** argv) {
  return run_tests(
      argc, argv, "events_test.cpp",
      {GRAPH_TEST(test_event_with_deadline), GRAPH_TEST(test_polling_allocates_nothing), GRAPH_TEST(test_event_outlives_its_run),
       GRAPH_TEST(test_cancel_behind_other_work), GRAPH_TEST(test_cancel_while_waiting_for_another_device), GRAPH_TEST(test_cancel_between_submissions), GRAPH_TEST(test_cancel_of_one_submission), GRAPH_TEST(test_reads_are_not_cancelled), GRAPH_TEST(test_cancel_without_work_is_nothing),
       GRAPH_TEST(test_failure_travels_along_wait_lists), GRAPH_TEST(test_parameters_cannot_change_in_flight)});
}
