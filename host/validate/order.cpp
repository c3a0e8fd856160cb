// Calls at the wrong moment: each is refused with the status the header names and leaves everything usable.
#include <format>

#include "fixture.h"

namespace host::validate {
namespace {

// The status of something done through the C++ header.
template <class Action>
Answer outcome(Action action) {
  try {
    action();
    return {};
  } catch (const daybreak::Error& error) {
    return {error.status(), error.what(), error.causes()};
  }
}

void before_ready(const Target& target) {
  const Fixture f(target);
  daybreak::Executable exec = f.compile();
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { daybreak::Run run(exec); }), "run_create before exec_ready");
  const Answer answer = outcome([&] { exec.ready(); });
  expect_status({DBK_FAILED_PRECONDITION}, answer, "exec_ready without parameters");
  expect_mentions(answer, "W", "exec_ready without parameters");
  expect_mentions(answer, "b", "exec_ready without parameters");
  exec.set_param("W", std::span(golden::weight));
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { exec.ready(); }), "exec_ready without b");
  exec.set_param("b", std::span(golden::bias));
  expect_status({DBK_OK}, outcome([&] { exec.ready(); }), "exec_ready");
}

void after_replacement(const Target& target) {
  const Fixture f(target);
  daybreak::Executable exec = f.ready();
  exec.set_param("b", std::span(golden::bias));
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { daybreak::Run run(exec); }),
                "run_create after set_param and before exec_ready");
}

void before_run(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  daybreak::Run run(exec);
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { run.run(); }), "run without a bound input");
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { (void)run.submit(); }), "submit without a bound input");
  float y[2];
  const auto bytes = std::as_writable_bytes(std::span(y));
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { run.read_bytes("y", bytes); }), "read without a run");
  expect(!run.shape(DBK_OUTPUT, "y").exact, "the output's shape is exact although N is unknown");
}

void after_run(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  const std::vector<float> x = golden::input(2);
  daybreak::Run run = f.bound(exec, x);
  std::vector<float> y(4);
  run.bind_output("y", daybreak::view_of(y, daybreak::Dims{2, 2}));
  run.run();
  const auto bytes = std::as_writable_bytes(std::span(y));
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { run.read_bytes("y", bytes); }),
                "read of an output bound to host memory");
  run.set_dim("N", DBK_DIM_UNKNOWN);
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { run.run(); }), "run after its symbol was forgotten");
}

void event_of_another_context(const Target& target) {
  const Fixture f(target), other(target);
  const daybreak::Executable exec = f.ready(), other_exec = other.ready();
  daybreak::Run run = f.bound(exec, golden::input(2)), other_run = other.bound(other_exec, golden::input(2));
  const daybreak::Event event = other_run.submit();
  const daybreak::Event* wait[] = {&event};
  expect_status({DBK_INVALID_ARGUMENT}, outcome([&] { run.run({.wait = wait}); }),
                "waiting for an event of another context");
  event.wait();
}

void plan_only(const Target& target) {
  const Fixture f(target);
  daybreak::GraphBuilder graph = golden::graph();
  daybreak::Executable exec = f.ctx.compile(graph, {.device = cpu_device(f.ctx), .mode = DBK_COMPILE_PLAN_ONLY});
  expect_status({DBK_FAILED_PRECONDITION, DBK_UNIMPLEMENTED}, outcome([&] { daybreak::Run run(exec); }),
                "run_create of a plan");
}

void wrong_tensors(const Target& target) {
  const Fixture f(target);
  daybreak::Executable exec = f.ready();
  daybreak::Run run(exec);
  const std::vector<float> x = golden::input(65);
  const std::vector<int32_t> numbers(6);
  using daybreak::Dims;
  using daybreak::view_of;
  expect_status({DBK_INVALID_ARGUMENT}, outcome([&] { run.bind_input("x", view_of(numbers, Dims{2, 3})); }),
                "an input of the wrong dtype");
  expect_status({DBK_INVALID_ARGUMENT}, outcome([&] { run.bind_input("x", view_of(x, Dims{3, 2})); }),
                "an input of the wrong shape");
  expect_status({DBK_INVALID_ARGUMENT}, outcome([&] { run.bind_input("x", view_of(x, Dims{6})); }),
                "an input of the wrong rank");
  expect_status({DBK_INVALID_ARGUMENT, DBK_OUT_OF_RANGE},
                outcome([&] { run.bind_input("x", view_of(x, Dims{65, 3})); }), "N above its maximum");
  expect_status({DBK_INVALID_ARGUMENT, DBK_OUT_OF_RANGE}, outcome([&] { run.set_dim("N", 0); }), "N below its minimum");
  expect_status({DBK_INVALID_ARGUMENT}, outcome([&] { exec.set_param("W", view_of(x, Dims{2, 3})); }),
                "a parameter of the wrong shape");
  run.bind_input("x", view_of(x, Dims{4, 3}));
  run.set_dim("N", 5);  // x stays bound with its old extent
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { run.run(); }), "N against a bound input");
  expect_status({DBK_INVALID_ARGUMENT}, outcome([&] { run.bind_input("x", view_of(x, Dims{4, 3})); }), "an input against N");
}

// Strides and lengths as only C can state them.
void wrong_memory(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  daybreak::Run run(exec);
  const std::vector<float> x = golden::input(2);
  const daybreak::View view = daybreak::view_of(x, daybreak::Dims{2, 3});
  const int64_t strides[] = {INT64_MAX - 7, 4};
  const auto bind = [&](dbk_tensor tensor) {
    return ask(f.api, [&](dbk_error** e) { return f.api.run_bind(run.get(), DBK_INPUT, 0, &tensor, e); });
  };
  dbk_tensor tensor = view.tensor(DBK_COPY);
  tensor.byte_len = 23;
  expect_status({DBK_INVALID_ARGUMENT, DBK_OUT_OF_RANGE}, bind(tensor), "byte_len one too short");
  tensor = view.tensor(DBK_COPY);
  tensor.byte_strides = strides;
  expect_status({DBK_INVALID_ARGUMENT, DBK_OUT_OF_RANGE}, bind(tensor), "a stride that leaves the memory");
  tensor = view.tensor(DBK_COPY);
  tensor.data = nullptr;
  expect_status({DBK_INVALID_ARGUMENT}, bind(tensor), "neither data nor buffer");
  tensor = view.tensor(DBK_COPY);
  tensor.dims = nullptr;
  expect_status({DBK_INVALID_ARGUMENT}, bind(tensor), "rank 2 without dims");
  tensor = view.tensor(77);
  expect_status({DBK_INVALID_ARGUMENT}, bind(tensor), "an unknown ownership");
}

void unknown_names(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  expect_status({DBK_NOT_FOUND}, outcome([&] { exec.find(DBK_INPUT, "nobody"); }), "exec_find of an unknown input");
  expect_status({DBK_NOT_FOUND}, outcome([&] { exec.find(DBK_SYMBOL, "nobody"); }), "exec_find of an unknown symbol");
  const Answer answer = outcome([&] { f.ctx.report("nothing"); });
  expect_status({DBK_NOT_FOUND}, answer, "an unknown report");
  expect_mentions(answer, "device", "an unknown report should list the known ones");
}

void mapped_buffer(const Target& target) {
  const Fixture f(target);
  daybreak::Buffer buffer = f.ctx.buffer(64, cpu_device(f.ctx));
  expect_status({DBK_FAILED_PRECONDITION},
                ask(f.api, [&](dbk_error** e) { return f.api.buffer_unmap(buffer.get(), e); }),
                "unmapping what is not mapped");
  const daybreak::Mapping mapping = buffer.map(DBK_MAP_WRITE);
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { buffer.map(DBK_MAP_READ); }), "mapping twice");
  const uint64_t word = 1;
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { buffer.write(std::span(&word, 1)); }),
                "writing to a mapped buffer");
}

// The context goes first: the rest may only be destroyed.
void context_gone(const Target& target) {
  const Fixture f(target);
  auto ctx = std::make_unique<daybreak::Context>(f.plugin, cpu_only());
  daybreak::GraphBuilder graph = golden::graph();
  daybreak::Executable exec = ctx->compile(graph, {.device = cpu_device(*ctx)});
  exec.set_param("W", std::span(golden::weight));
  exec.set_param("b", std::span(golden::bias));
  exec.ready();
  daybreak::Run run = f.bound(exec, golden::input(2));
  const daybreak::Event event = run.submit();
  daybreak::Buffer buffer = ctx->buffer(64, cpu_device(*ctx));
  ctx.reset();
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { exec.inputs(); }), "exec_count after ctx_destroy");
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { exec.ready(); }), "exec_ready after ctx_destroy");
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { run.run(); }), "run after ctx_destroy");
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { event.done(); }), "event_wait after ctx_destroy");
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { event.cancel(); }), "event_cancel after ctx_destroy");
  expect_status({DBK_FAILED_PRECONDITION}, outcome([&] { buffer.map(DBK_MAP_READ); }), "buffer_map after ctx_destroy");
}

void wrong_version(const Target& target) {
  const Fixture f(target);
  auto host = daybreak::detail::sized<dbk_host>();
  host.abi = DBK_ABI(9, 9);
  dbk_ctx* ctx = nullptr;
  expect_status({DBK_INVALID_ARGUMENT},
                ask(f.api, [&](dbk_error** e) { return f.api.ctx_create(&host, nullptr, &ctx, e); }),
                "a host of version 9.9");
}

void cancelled(const Target& target) {
  const Fixture f(target);
  int calls = 0;
  daybreak::GraphBuilder graph = golden::graph();
  const auto stop = [&](const daybreak::Progress&) { return ++calls, false; };
  const Answer answer = outcome([&] { f.ctx.compile(graph, {.device = cpu_device(f.ctx), .progress = stop}); });
  if (calls == 0) throw Skipped("compile is too quick to report progress");
  expect_status({DBK_CANCELLED}, answer, "compile with a progress callback that says stop");
  expect(calls == 1, std::format("the callback was called {} times after it said stop", calls - 1));
}

// A cancel is for one submission: nothing else is stopped, and what is over stays as it was.
void cancelled_submission(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  daybreak::Run run = f.bound(exec, golden::input(2));
  const daybreak::Event first = run.submit();
  first.cancel();
  expect_status({DBK_OK, DBK_CANCELLED}, outcome([&] { first.wait(); }), "event_wait of a cancelled submission");
  const daybreak::Event second = run.submit();
  first.cancel();
  expect_status({DBK_OK}, outcome([&] { second.wait(); }), "a submission after one whose event was cancelled");
  second.cancel();
  expect_status({DBK_OK}, outcome([&] { second.wait(); }), "event_wait of what was cancelled when it was over");
  expect_status({DBK_OK}, outcome([&] { run.run(); }), "run after event_cancel");
}

constexpr Test tests[] = {
    {"order.before_ready", 20, before_ready},
    {"order.after_replacement", 20, after_replacement},
    {"order.before_run", 20, before_run},
    {"order.after_run", 20, after_run},
    {"order.event_of_another_context", 20, event_of_another_context},
    {"order.plan_only", 20, plan_only},
    {"order.wrong_tensors", 20, wrong_tensors},
    {"order.wrong_memory", 20, wrong_memory},
    {"order.unknown_names", 20, unknown_names},
    {"order.mapped_buffer", 20, mapped_buffer},
    {"order.context_gone", 20, context_gone},
    {"order.wrong_version", 20, wrong_version},
    {"order.cancelled", 20, cancelled},
    {"order.cancelled_submission", 20, cancelled_submission},
};

}  // namespace

std::span<const Test> order_tests() { return tests; }

}  // namespace host::validate
