// Bad arguments: a NULL where a pointer is required is INVALID_ARGUMENT in every function, with and without an error
// asked for; destroying NULL does nothing; indices and roles that do not exist are refused. One row per call.
#include <format>

#include "fixture.h"

namespace host::validate {
namespace {

// Valid objects of every kind, and places for results nobody should get.
struct Objects : Fixture {
  daybreak::Executable exec;
  daybreak::Run run;
  daybreak::Event event;
  daybreak::Buffer buffer, other;
  daybreak::GraphBuilder graph = golden::graph();
  dbk_compile_desc compile_desc = daybreak::detail::sized<dbk_compile_desc>();
  dbk_report_desc report_desc = daybreak::detail::sized<dbk_report_desc>();
  dbk_buffer_desc buffer_desc = daybreak::detail::sized<dbk_buffer_desc>();
  dbk_device_info device = daybreak::detail::sized<dbk_device_info>();
  dbk_exec_info exec_info = daybreak::detail::sized<dbk_exec_info>();
  dbk_io_info io = daybreak::detail::sized<dbk_io_info>();
  dbk_stats stats = daybreak::detail::sized<dbk_stats>();
  dbk_tensor tensor = daybreak::detail::sized<dbk_tensor>();
  dbk_copy copy{0, 0, 0, 4, nullptr};
  dbk_str name{"x", 1};
  int64_t dims[DBK_MAX_RANK] = {};
  uint32_t number = 0, other_number = 0;
  dbk_ctx* new_ctx = nullptr;
  dbk_exec* new_exec = nullptr;
  dbk_run* new_run = nullptr;
  dbk_buffer* new_buffer = nullptr;
  dbk_text* text = nullptr;
  void* pointer = nullptr;

  explicit Objects(const Target& target)
      : Fixture(target), exec(ready()), run(bound(exec, golden::input(2))), event(run.submit()) {
    event.wait();
    buffer = ctx.buffer(64, cpu_device(ctx));
    other = ctx.buffer(64, cpu_device(ctx));
    compile_desc.device = cpu_device(ctx);
    report_desc.ctx = ctx.get();
    report_desc.kind = {"device", 6};
    buffer_desc.byte_len = 64;
    buffer_desc.device = cpu_device(ctx);
  }

  // Whether a refused call handed something out.
  bool nothing_made() const { return !new_ctx && !new_exec && !new_run && !new_buffer && !text && !pointer; }
};

struct Row {
  const char* name;
  dbk_status (*call)(Objects& o, dbk_error** e);
};

void refuse_all(const Target& target, std::span<const Row> rows, std::initializer_list<dbk_status> wanted) {
  Objects objects(target);
  for (const Row& row : rows) {
    expect_status(wanted, ask(objects.api, [&](dbk_error** e) { return row.call(objects, e); }), row.name);
    const dbk_status silent = row.call(objects, nullptr);
    expect(silent != DBK_OK, std::format("{}: accepted when no error is asked for", row.name));
    expect(objects.nothing_made(), std::format("{}: refused, but an output was written", row.name));
  }
}

constexpr Row null_rows[] = {
    {"ctx_create(host)", [](Objects& o, dbk_error** e) { return o.api.ctx_create(nullptr, nullptr, &o.new_ctx, e); }},
    {"device_count(ctx)", [](Objects& o, dbk_error** e) { return o.api.device_count(nullptr, &o.number, e); }},
    {"device_count(out_count)", [](Objects& o, dbk_error** e) { return o.api.device_count(o.ctx.get(), nullptr, e); }},
    {"device_info(ctx)", [](Objects& o, dbk_error** e) { return o.api.device_info(nullptr, 0, &o.device, e); }},
    {"device_info(inout)", [](Objects& o, dbk_error** e) { return o.api.device_info(o.ctx.get(), 0, nullptr, e); }},
    {"device_recover(ctx)", [](Objects& o, dbk_error** e) { return o.api.device_recover(nullptr, 0, nullptr, e); }},
    {"check(ctx)",
     [](Objects& o, dbk_error** e) { return o.api.check(nullptr, &o.compile_desc, &o.text, e); }},
    {"check(desc)", [](Objects& o, dbk_error** e) { return o.api.check(o.ctx.get(), nullptr, &o.text, e); }},
    {"check(graph)",
     [](Objects& o, dbk_error** e) { return o.api.check(o.ctx.get(), &o.compile_desc, &o.text, e); }},
    {"check(out_verdicts)",
     [](Objects& o, dbk_error** e) { return o.api.check(o.ctx.get(), &o.compile_desc, nullptr, e); }},
    {"compile(ctx)", [](Objects& o, dbk_error** e) { return o.api.compile(nullptr, &o.compile_desc, &o.new_exec, e); }},
    {"compile(desc)", [](Objects& o, dbk_error** e) { return o.api.compile(o.ctx.get(), nullptr, &o.new_exec, e); }},
    {"compile(graph)",
     [](Objects& o, dbk_error** e) { return o.api.compile(o.ctx.get(), &o.compile_desc, &o.new_exec, e); }},
    {"compile(out_exec)",
     [](Objects& o, dbk_error** e) {
       dbk_compile_desc desc = o.compile_desc;
       desc.graph = o.graph.graph();
       return o.api.compile(o.ctx.get(), &desc, nullptr, e);
     }},
    {"exec_count(exec)", [](Objects& o, dbk_error** e) { return o.api.exec_count(nullptr, DBK_INPUT, &o.number, e); }},
    {"exec_count(out_count)",
     [](Objects& o, dbk_error** e) { return o.api.exec_count(o.exec.get(), DBK_INPUT, nullptr, e); }},
    {"exec_io(exec)", [](Objects& o, dbk_error** e) { return o.api.exec_io(nullptr, DBK_INPUT, 0, &o.io, e); }},
    {"exec_io(inout)", [](Objects& o, dbk_error** e) { return o.api.exec_io(o.exec.get(), DBK_INPUT, 0, nullptr, e); }},
    {"exec_find(exec)",
     [](Objects& o, dbk_error** e) { return o.api.exec_find(nullptr, DBK_INPUT, &o.name, &o.number, e); }},
    {"exec_find(name)",
     [](Objects& o, dbk_error** e) { return o.api.exec_find(o.exec.get(), DBK_INPUT, nullptr, &o.number, e); }},
    {"exec_find(out_index)",
     [](Objects& o, dbk_error** e) { return o.api.exec_find(o.exec.get(), DBK_INPUT, &o.name, nullptr, e); }},
    {"exec_find(name.ptr)",
     [](Objects& o, dbk_error** e) {
       const dbk_str broken{nullptr, 1};
       return o.api.exec_find(o.exec.get(), DBK_INPUT, &broken, &o.number, e);
     }},
    {"set_param(exec)", [](Objects& o, dbk_error** e) { return o.api.set_param(nullptr, 0, &o.tensor, e); }},
    {"exec_info(exec)", [](Objects& o, dbk_error** e) { return o.api.exec_info(nullptr, &o.exec_info, e); }},
    {"exec_info(inout)", [](Objects& o, dbk_error** e) { return o.api.exec_info(o.exec.get(), nullptr, e); }},
    {"exec_ready(exec)", [](Objects& o, dbk_error** e) { return o.api.exec_ready(nullptr, nullptr, e); }},
    {"run_create(exec)", [](Objects& o, dbk_error** e) { return o.api.run_create(nullptr, nullptr, &o.new_run, e); }},
    {"run_create(out_run)", [](Objects& o, dbk_error** e) { return o.api.run_create(o.exec.get(), nullptr, nullptr, e); }},
    {"run_set_dim(run)", [](Objects& o, dbk_error** e) { return o.api.run_set_dim(nullptr, 0, 2, e); }},
    {"run_bind(run)", [](Objects& o, dbk_error** e) { return o.api.run_bind(nullptr, DBK_INPUT, 0, &o.tensor, e); }},
    {"run_shape(run)",
     [](Objects& o, dbk_error** e) {
       return o.api.run_shape(nullptr, DBK_OUTPUT, 0, o.dims, 32, &o.number, &o.other_number, e);
     }},
    {"run_shape(out_dims)",
     [](Objects& o, dbk_error** e) {
       return o.api.run_shape(o.run.get(), DBK_OUTPUT, 0, nullptr, 32, &o.number, &o.other_number, e);
     }},
    {"run_shape(out_rank)",
     [](Objects& o, dbk_error** e) {
       return o.api.run_shape(o.run.get(), DBK_OUTPUT, 0, o.dims, 32, nullptr, &o.other_number, e);
     }},
    {"run_shape(out_exact)",
     [](Objects& o, dbk_error** e) {
       return o.api.run_shape(o.run.get(), DBK_OUTPUT, 0, o.dims, 32, &o.number, nullptr, e);
     }},
    {"run(run)", [](Objects& o, dbk_error** e) { return o.api.run(nullptr, nullptr, nullptr, e); }},
    {"run_cancel(run)", [](Objects& o, dbk_error** e) { return o.api.run_cancel(nullptr, e); }},
    {"read(run)", [](Objects& o, dbk_error** e) { return o.api.read(nullptr, &o.copy, 1, sizeof o.copy, nullptr, e); }},
    {"read(copies)",
     [](Objects& o, dbk_error** e) { return o.api.read(o.run.get(), nullptr, 1, sizeof o.copy, nullptr, e); }},
    {"read(dst)",
     [](Objects& o, dbk_error** e) { return o.api.read(o.run.get(), &o.copy, 1, sizeof o.copy, nullptr, e); }},
    {"event_wait(event)", [](Objects& o, dbk_error** e) { return o.api.event_wait(nullptr, 0, e); }},
    {"event_cancel(event)", [](Objects& o, dbk_error** e) { return o.api.event_cancel(nullptr, e); }},
    {"buffer_create(ctx)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_create(nullptr, &o.buffer_desc, &o.new_buffer, e); }},
    {"buffer_create(desc)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_create(o.ctx.get(), nullptr, &o.new_buffer, e); }},
    {"buffer_create(out_buffer)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_create(o.ctx.get(), &o.buffer_desc, nullptr, e); }},
    {"buffer_write(buffer)", [](Objects& o, dbk_error** e) { return o.api.buffer_write(nullptr, 0, o.dims, 8, nullptr, e); }},
    {"buffer_read(buffer)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_read(nullptr, 0, o.dims, 8, nullptr, e); }},
    {"buffer_read(dst)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_read(o.buffer.get(), 0, nullptr, 8, nullptr, e); }},
    {"buffer_write(src)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_write(o.buffer.get(), 0, nullptr, 8, nullptr, e); }},
    {"buffer_copy(dst)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_copy(nullptr, 0, o.other.get(), 0, 8, nullptr, e); }},
    {"buffer_copy(src)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_copy(o.buffer.get(), 0, nullptr, 0, 8, nullptr, e); }},
    {"buffer_map(buffer)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_map(nullptr, DBK_MAP_READ, 0, 8, &o.pointer, e); }},
    {"buffer_map(out_ptr)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_map(o.buffer.get(), DBK_MAP_READ, 0, 8, nullptr, e); }},
    {"buffer_unmap(buffer)", [](Objects& o, dbk_error** e) { return o.api.buffer_unmap(nullptr, e); }},
    {"stats(no object)", [](Objects& o, dbk_error** e) { return o.api.stats(nullptr, nullptr, nullptr, &o.stats, e); }},
    {"stats(inout)", [](Objects& o, dbk_error** e) { return o.api.stats(o.ctx.get(), nullptr, nullptr, nullptr, e); }},
    {"report(desc)", [](Objects& o, dbk_error** e) { return o.api.report(nullptr, &o.text, e); }},
    {"report(out_text)", [](Objects& o, dbk_error** e) { return o.api.report(&o.report_desc, nullptr, e); }},
};

void null_arguments(const Target& target) { refuse_all(target, null_rows, {DBK_INVALID_ARGUMENT}); }

// The functions without an out_error, and those that accept NULL.
void null_without_errors(const Target& target) {
  const Objects o(target);
  dbk_host host = daybreak::detail::sized<dbk_host>();
  host.abi = o.api.abi;
  expect(o.api.ctx_create(&host, nullptr, nullptr, nullptr) == DBK_INVALID_ARGUMENT,
         "ctx_create(out_ctx) is not INVALID_ARGUMENT");
  dbk_error_info info = daybreak::detail::sized<dbk_error_info>();
  const char* text = nullptr;
  uint64_t length = 0;
  expect(o.api.error_get(nullptr, 0, &info) == DBK_INVALID_ARGUMENT, "error_get(error) is not INVALID_ARGUMENT");
  expect(o.api.text_get(nullptr, &text, &length) == DBK_INVALID_ARGUMENT, "text_get(text) is not INVALID_ARGUMENT");
  o.api.error_destroy(nullptr);
  o.api.text_destroy(nullptr);
  o.api.ctx_destroy(nullptr);
  o.api.exec_destroy(nullptr);
  o.api.run_destroy(nullptr);
  o.api.event_destroy(nullptr);
  o.api.buffer_destroy(nullptr);
}

constexpr Row range_rows[] = {
    {"device_info(device)", [](Objects& o, dbk_error** e) { return o.api.device_info(o.ctx.get(), 99, &o.device, e); }},
    {"exec_io(index)", [](Objects& o, dbk_error** e) { return o.api.exec_io(o.exec.get(), DBK_INPUT, 9, &o.io, e); }},
    {"run_set_dim(symbol)", [](Objects& o, dbk_error** e) { return o.api.run_set_dim(o.run.get(), 9, 2, e); }},
    {"run_shape(index)",
     [](Objects& o, dbk_error** e) {
       return o.api.run_shape(o.run.get(), DBK_OUTPUT, 9, o.dims, 32, &o.number, &o.other_number, e);
     }},
    {"run_shape(cap)",
     [](Objects& o, dbk_error** e) {
       return o.api.run_shape(o.run.get(), DBK_OUTPUT, 0, o.dims, 1, &o.number, &o.other_number, e);
     }},
    {"read(range)",
     [](Objects& o, dbk_error** e) {
       const dbk_copy copy{0, 0, 12, 8, o.dims};
       return o.api.read(o.run.get(), &copy, 1, sizeof copy, nullptr, e);
     }},
    {"read(range that overflows)",
     [](Objects& o, dbk_error** e) {
       const dbk_copy copy{0, 0, UINT64_MAX - 3, 8, o.dims};
       return o.api.read(o.run.get(), &copy, 1, sizeof copy, nullptr, e);
     }},
    {"buffer_read(range)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_read(o.buffer.get(), 60, o.dims, 8, nullptr, e); }},
    {"buffer_write(range)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_write(o.buffer.get(), 60, o.dims, 8, nullptr, e); }},
    {"buffer_write(range that overflows)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_write(o.buffer.get(), UINT64_MAX - 3, o.dims, 8, nullptr, e); }},
    {"buffer_copy(range)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_copy(o.buffer.get(), 0, o.other.get(), 60, 8, nullptr, e); }},
    {"buffer_map(range)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_map(o.buffer.get(), DBK_MAP_READ, 60, 8, &o.pointer, e); }},
};

void ranges(const Target& target) { refuse_all(target, range_rows, {DBK_OUT_OF_RANGE}); }

constexpr Row role_rows[] = {
    {"exec_count(role)", [](Objects& o, dbk_error** e) { return o.api.exec_count(o.exec.get(), 77, &o.number, e); }},
    {"exec_io(role)", [](Objects& o, dbk_error** e) { return o.api.exec_io(o.exec.get(), 77, 0, &o.io, e); }},
    {"exec_find(role)",
     [](Objects& o, dbk_error** e) { return o.api.exec_find(o.exec.get(), 77, &o.name, &o.number, e); }},
    {"run_bind(role)",
     [](Objects& o, dbk_error** e) { return o.api.run_bind(o.run.get(), DBK_PARAM, 0, &o.tensor, e); }},
    {"run_shape(role)",
     [](Objects& o, dbk_error** e) {
       return o.api.run_shape(o.run.get(), 77, 0, o.dims, 32, &o.number, &o.other_number, e);
     }},
    {"buffer_map(mode 0)",
     [](Objects& o, dbk_error** e) { return o.api.buffer_map(o.buffer.get(), 0, 0, 8, &o.pointer, e); }},
};

void roles(const Target& target) { refuse_all(target, role_rows, {DBK_INVALID_ARGUMENT}); }

constexpr Test tests[] = {
    {"arguments.null", 20, null_arguments},
    {"arguments.null_without_errors", 20, null_without_errors},
    {"arguments.ranges", 20, ranges},
    {"arguments.roles", 20, roles},
};

}  // namespace

std::span<const Test> argument_tests() { return tests; }

}  // namespace host::validate
