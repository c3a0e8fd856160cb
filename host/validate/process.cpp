// The process around the plugin: exit with live objects, with a run in flight, from atexit and from another thread;
// fork before and after a context exists. The parent wants status 0 in time, so hanging and crashing at exit are seen.
#include <sys/wait.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <format>
#include <thread>

#include "fixture.h"

namespace host::validate {
namespace {

// Objects that are never destroyed.
struct Leftovers {
  Fixture fixture;
  daybreak::Executable exec;
  daybreak::Run run;
  explicit Leftovers(const Target& target)
      : fixture(target), exec(fixture.ready()), run(fixture.bound(exec, golden::input(64))) {}
};

// Reachable for ever, so that a leak checker has nothing to say about them. volatile: what is only written is no
// variable to a compiler.
Leftovers* volatile kept_objects = nullptr;
daybreak::Event* volatile kept_event = nullptr;

void exit_with_live_objects(const Target& target) {
  kept_objects = new Leftovers(target);
  kept_objects->run.run();
  pass_before_exit();
  std::exit(0);
}

void exit_with_run_in_flight(const Target& target) {
  kept_objects = new Leftovers(target);
  kept_event = new daybreak::Event(kept_objects->run.submit());
  pass_before_exit();
  std::exit(0);
}

void exit_without_handlers(const Target& target) {
  kept_objects = new Leftovers(target);
  kept_event = new daybreak::Event(kept_objects->run.submit());
  pass_before_exit();
  _exit(0);
}

Leftovers* destroyed_at_exit = nullptr;

void destroy_in_atexit(const Target& target) {
  expect(std::atexit([] { delete destroyed_at_exit; }) == 0, "atexit failed");
  destroyed_at_exit = new Leftovers(target);
  destroyed_at_exit->run.run();
  pass_before_exit();
  std::exit(0);
}

void exit_from_another_thread(const Target& target) {
  kept_objects = new Leftovers(target);
  kept_objects->run.run();
  std::thread([] {
    pass_before_exit();
    std::exit(0);
  }).join();
}

// With exit handlers, but without a leak check: what the parent made cannot be freed in the child.
[[noreturn]] void leave_fork() {
#if defined(__SANITIZE_ADDRESS__)
  _exit(0);
#else
  std::exit(0);
#endif
}

// Runs `action` in a forked child, which says by its status whether all was well.
template <class Action>
void in_fork(const char* what, Action action) {
  const pid_t pid = fork();
  expect(pid >= 0, "fork failed");
  if (pid == 0) {
    try {
      action();
    } catch (const std::exception&) {
      _exit(1);
    }
    leave_fork();
  }
  int status = 0;
  expect(waitpid(pid, &status, 0) == pid, "waitpid failed");
  expect(!WIFSIGNALED(status),
         std::format("{}: the forked child was killed by signal {}", what, WIFSIGNALED(status) ? WTERMSIG(status) : 0));
  expect(WEXITSTATUS(status) == 0, std::format("{}: the forked child did not get the right answer", what));
}

void compute(const Fixture& fixture) {
  const std::vector<float> x = golden::input(5);
  const daybreak::Executable exec = fixture.ready();
  daybreak::Run run = fixture.bound(exec, x);
  run.run();
  golden::expect_right(x, run.read<float>("y"));
}

// The thread sanitizer itself ends a process that starts threads after a fork.
void require_threads_after_fork(const Target& target) {
  if (daybreak::Plugin::load(target.path).info().sanitizer == DBK_SANITIZER_THREAD) {
    throw Skipped("built with the thread sanitizer, which allows no threads after fork");
  }
}

void load_then_fork(const Target& target) {
  require_threads_after_fork(target);
  const daybreak::Plugin plugin = daybreak::Plugin::load(target.path);
  in_fork("a new context in the child", [&] { compute(Fixture(target)); });
  compute(Fixture(target));
}

template <class Action>
void expect_precondition(Action action) {
  try {
    action();
  } catch (const daybreak::Error& error) {
    expect(error.status() == DBK_FAILED_PRECONDITION, error.what());
    return;
  }
  throw Failed("accepted");
}

void context_then_fork(const Target& target) {
  const Fixture fixture(target);
  const daybreak::Executable exec = fixture.ready();
  daybreak::Run run = fixture.bound(exec, golden::input(5));
  run.run();
  in_fork("the parent's context", [&] { expect_precondition([&] { (void)fixture.ctx.device_count(); }); });
  in_fork("the parent's context, compile", [&] { expect_precondition([&] { (void)fixture.compile(); }); });
  in_fork("the parent's run", [&] { expect_precondition([&] { run.run(); }); });
  run.run();  // the parent goes on
  golden::expect_right(golden::input(5), run.read<float>("y"));
}

void new_context_after_fork(const Target& target) {
  require_threads_after_fork(target);
  const Fixture fixture(target);
  compute(fixture);
  in_fork("a new context beside the parent's", [&] { compute(Fixture(target)); });
  compute(fixture);
}

void destroy_in_fork(const Target& target) {
  auto left = std::make_unique<Leftovers>(target);
  left->run.run();
  in_fork("destroying the parent's objects", [&] { left.reset(); });
  left->run.run();
}

// Signal dispositions, the environment and the locale belong to the host.
void process_state(const Target& target) {
  struct sigaction before[NSIG] = {}, after[NSIG] = {};
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, nullptr, &before[signal]);
  compute(Fixture(target));
  for (int signal = 1; signal < NSIG; ++signal) {
    sigaction(signal, nullptr, &after[signal]);
    expect(before[signal].sa_handler == after[signal].sa_handler,
           std::format("the handler of signal {} changed", signal));
  }
  expect(locale == std::setlocale(LC_ALL, nullptr), "the locale changed");
}

// GPU drivers that are not there are no error, and nobody complains about them on stderr.
void no_gpu_driver(const Target& target) {
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) setenv(name, "/nonexistent", 1);
  const daybreak::Plugin plugin = daybreak::Plugin::load(target.path);
  const daybreak::Context ctx(plugin);
  const std::vector<daybreak::DeviceInfo> devices = ctx.devices();
  expect(!devices.empty() && devices.back().kind == DBK_DEVICE_CPU && devices.back().usable(),
         "no usable CPU device at the end of the list");
}

constexpr Test tests[] = {
    {"process.exit_with_live_objects", 20, exit_with_live_objects},
    {"process.exit_with_run_in_flight", 20, exit_with_run_in_flight},
    {"process.exit_without_handlers", 20, exit_without_handlers},
    {"process.destroy_in_atexit", 20, destroy_in_atexit},
    {"process.exit_from_another_thread", 20, exit_from_another_thread},
    {"process.load_then_fork", 20, load_then_fork},
    {"process.context_then_fork", 20, context_then_fork},
    {"process.new_context_after_fork", 20, new_context_after_fork},
    {"process.destroy_in_fork", 20, destroy_in_fork},
    {"process.state_untouched", 20, process_state},
    {"process.no_gpu_driver", 30, no_gpu_driver},
};

}  // namespace

std::span<const Test> process_tests() { return tests; }

}  // namespace host::validate
