// Threads: what is tagged [any] is called from many at once. Results of parallel runs equal the serial one bit for bit.
#include <atomic>
#include <format>
#include <functional>
#include <thread>

#include "fixture.h"

namespace host::validate {
namespace {

constexpr int thread_count = 8;

// Calls work(i) on as many threads, started together; the first failure is thrown here.
void in_parallel(const std::function<void(int)>& work) {
  std::atomic<int> waiting{thread_count};
  std::vector<std::string> failures(thread_count);
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) {
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      try {
        work(i);
      } catch (const std::exception& failed) {
        failures[static_cast<std::size_t>(i)] = failed.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& failure : failures) expect(failure.empty(), failure);
}

void shared_executable(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  const std::vector<float> x = golden::input(64);
  daybreak::Run serial = f.bound(exec, x);
  serial.run();
  const std::vector<float> want = serial.read<float>("y");
  in_parallel([&](int) {
    for (int round = 0; round < 20; ++round) {
      daybreak::Run run = f.bound(exec, x);
      run.run();
      expect(run.read<float>("y") == want, "a parallel run differs from the serial one");
    }
  });
}

void contexts(const Target& target) {
  const daybreak::Plugin plugin = daybreak::Plugin::load(target.path);
  in_parallel([&](int) {
    for (int round = 0; round < 5; ++round) {
      const daybreak::Context ctx(plugin, cpu_only());
      expect(ctx.device_count() > 0, "a context without devices");
    }
  });
}

void compiling(const Target& target) {
  const Fixture f(target);
  in_parallel([&](int i) {
    const std::vector<float> x = golden::input(i + 1);
    const daybreak::Executable exec = f.ready();
    daybreak::Run run = f.bound(exec, x);
    run.submit().wait();
    golden::expect_right(x, run.read<float>("y"));
  });
}

void loading(const Target& target) {
  in_parallel([&](int) {
    for (int round = 0; round < 10; ++round) daybreak::Plugin::load(target.path);
  });
}

// One thread runs, others wait for its event, ask for reports and destroy events.
void events_and_reports(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  daybreak::Run run = f.bound(exec, golden::input(64));
  const daybreak::Event event = run.submit();
  in_parallel([&](int) {
    event.wait();
    expect(event.done(), "an event that was waited for is not done");
    (void)f.ctx.report("device");
    (void)exec.stats();
    (void)exec.inputs();
  });
}

constexpr Test tests[] = {
    {"threads.shared_executable", 60, shared_executable},
    {"threads.contexts", 60, contexts},
    {"threads.compiling", 60, compiling},
    {"threads.loading", 30, loading},
    {"threads.events_and_reports", 30, events_and_reports},
};

}  // namespace

std::span<const Test> thread_tests() { return tests; }

}  // namespace host::validate
