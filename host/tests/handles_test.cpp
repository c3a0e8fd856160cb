// Owners of the C++ header: whichever call fails, everything handed out by the plugin is destroyed exactly once and the
// error arrives whole. The plugin is a fake that counts.
#include <stdexcept>

#include "daybreak.hpp"
#include "expect_error.h"
#include "fake_plugin.h"

using namespace daybreak;

extern "C" {
void setUp() { fake::state = {}; }
void tearDown() { TEST_ASSERT_EQUAL_INT(0, fake::state.live); }
}

namespace {

// Uses every kind of object once.
void whole_story() {
  const Plugin plugin = Plugin::from_entry(fake::entry);
  Context ctx(plugin, Options{}.set("gpu", false),
              {.name = "test", .log = [](uint32_t, std::string_view) { throw 1; }});
  GraphBuilder g;
  g.output(g.node("Neg", {g.input<float>("x", {})}), "y");
  ctx.check(g.graph());
  ctx.report("device");
  Executable exec = ctx.compile(g, {.progress = [](const Progress&) { return true; }});
  const float one = 1;
  exec.set_param("w", std::span<const float>(&one, 1));
  exec.ready();
  Buffer buffer = ctx.buffer(4, 0);
  {
    const Mapping mapping = buffer.map(DBK_MAP_READ);
  }
  Run run(exec);
  run.bind_input("x", View(std::span(&one, 1), {}));
  const Event done = run.submit();
  done.wait();
  done.cancel();
  run.read<float>("y");
  const Event read = run.read_bytes_later(0, {});
  exec = Executable();  // the run keeps the C object
  run.report("stats");
}

void test_nothing_is_left() { whole_story(); }

void test_nothing_is_left_whichever_call_fails() {
  for (const char* function : {"entry", "ctx_create", "check", "report", "text_get", "compile", "exec_find", "exec_io",
                               "set_param", "exec_ready", "buffer_create", "buffer_map", "run_create", "run_bind",
                               "run", "event_wait", "event_cancel", "run_shape", "read"}) {
    fake::state.failing = function;
    dbk_status status = DBK_OK;
    try {
      whole_story();
    } catch (const Error& error) {
      status = error.status();
    }
    TEST_ASSERT_TRUE_MESSAGE(status != DBK_OK, function);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, fake::state.live, function);
  }
}

void test_errors_arrive_whole() {
  fake::state.failing = "compile";
  const Context ctx(Plugin::from_entry(fake::entry));
  try {
    ctx.compile(GraphBuilder().graph());
    TEST_FAIL_MESSAGE("no error");
  } catch (const Error& error) {
    TEST_ASSERT_EQUAL_UINT64(2, error.causes().size());
    TEST_ASSERT_EQUAL_STRING("OUT_OF_MEMORY: first cause; second cause", error.what());
    TEST_ASSERT_TRUE(error.causes()[0].value == 3u && !error.causes()[0].node);
    TEST_ASSERT_TRUE(error.causes()[1].node == 7u && !error.causes()[1].value);
  }
}

void test_moves_leave_one_owner() {
  const Plugin plugin = Plugin::from_entry(fake::entry);
  Context a(plugin), b(plugin);
  TEST_ASSERT_EQUAL_INT(2, fake::state.live);
  a = std::move(b);
  TEST_ASSERT_EQUAL_INT(1, fake::state.live);
  Executable exec = a.compile(GraphBuilder().graph());
  Run run(exec), other(exec);
  run = std::move(other);
  Run third(std::move(run));
  TEST_ASSERT_EQUAL_INT(3, fake::state.live);
  static_assert(!std::is_copy_constructible_v<Run> && !std::is_copy_constructible_v<Executable> &&
                !std::is_copy_constructible_v<Context> && !std::is_copy_constructible_v<Event> &&
                !std::is_copy_constructible_v<Buffer> && !std::is_copy_constructible_v<Plugin>);
}

void test_moved_from_objects_say_so() {
  Plugin plugin = Plugin::from_entry(fake::entry);
  Context ctx(plugin);
  Executable exec = ctx.compile(GraphBuilder().graph());
  Run run(exec);
  const Plugin kept_plugin = std::move(plugin);
  const Context kept_ctx = std::move(ctx);
  const Executable kept_exec = std::move(exec);
  const Run kept_run = std::move(run);
  expect_error(DBK_FAILED_PRECONDITION, [&] { Context other(plugin); });
  expect_error(DBK_FAILED_PRECONDITION, [&] { ctx.compile(GraphBuilder().graph()); });
  expect_error(DBK_FAILED_PRECONDITION, [&] { static_cast<void>(ctx.report("ops")); });
  expect_error(DBK_FAILED_PRECONDITION, [&] { Run other(exec); });
  expect_error(DBK_FAILED_PRECONDITION, [&] { exec.ready(); });
  expect_error(DBK_FAILED_PRECONDITION, [&] { static_cast<void>(exec.count(DBK_INPUT)); });
  expect_error(DBK_FAILED_PRECONDITION, [&] { run.run(); });
  expect_error(DBK_FAILED_PRECONDITION, [&] { static_cast<void>(run.submit()); });
}

void test_progress_cancels_and_carries_exceptions() {
  const Context ctx(Plugin::from_entry(fake::entry));
  GraphBuilder g;
  expect_error(DBK_CANCELLED, [&] { ctx.compile(g, {.progress = [](const Progress&) { return false; }}); });
  bool caught = false;
  try {
    ctx.compile(g, {.progress = [](const Progress&) -> bool { throw std::out_of_range("mine"); }});
  } catch (const std::out_of_range&) {
    caught = true;
  }
  TEST_ASSERT_TRUE(caught);
  TEST_ASSERT_EQUAL_INT(1, fake::state.progress);
}

void test_loading_names_the_file() {
  expect_error(DBK_UNAVAILABLE, [] { Plugin::load("./no/such/plugin.so"); });
  expect_error(DBK_UNAVAILABLE, [] { Plugin::load("libdl.so.2"); });  // loads, but has no dbk_entry
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_nothing_is_left);
  RUN_TEST(test_nothing_is_left_whichever_call_fails);
  RUN_TEST(test_errors_arrive_whole);
  RUN_TEST(test_moves_leave_one_owner);
  RUN_TEST(test_moved_from_objects_say_so);
  RUN_TEST(test_progress_cancels_and_carries_exceptions);
  RUN_TEST(test_loading_names_the_file);
  return UNITY_END();
}
