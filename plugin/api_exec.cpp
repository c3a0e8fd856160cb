#include "plugin/api.h"
#include "plugin/device_choice.h"
#include "plugin/given_graph.h"
#include "plugin/handles.h"

namespace dbk::api {

namespace {

std::shared_ptr<Executable> compile_graph(Context& context, const dbk_compile_desc& desc) {
  check_compile_mode(desc.mode);
  const Stopwatch watch;
  const Options options = context.compile_options(desc.options);
  const Progress progress = progress_of(desc.watch);
  DeviceChoice choice = context.choose_device(desc.device, options, progress);
  progress(DBK_STAGE_CHECK, 0, 1);
  Graph graph = given_graph(copy_in(desc.graph, "graph"), options);
  std::optional<Types> inferred;
  choice = choose_for_graph(context, graph, options, std::move(choice), inferred);
  auto exec = std::make_shared<Executable>(context.shared_from_this(), choice.device, std::move(graph), options, desc.mode, progress, /*probe=*/false, std::move(inferred));
  exec->set_device_choice(std::move(choice));
  exec->stats().add(&Stats::graph_nanoseconds, watch.nanoseconds());
  if (desc.share) exec->adopt_params(*desc.share->impl);
  return exec;
}

}  // namespace

dbk_status DBK_CALL compile(dbk_ctx* ctx, const dbk_compile_desc* desc, dbk_exec** out_exec, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(ctx, "ctx").impl->check_open();
    check_pointer(out_exec, "out_exec");
    *out_exec = new dbk_exec{compile_graph(*ctx->impl, copy_in(desc, "desc"))};
  });
}

void DBK_CALL exec_destroy(dbk_exec* exec) noexcept {
  if (!exec || exec->impl->context().forked()) return;
  guard_void([&] { exec->impl->close(); });
  delete exec;
}

dbk_status DBK_CALL exec_info(dbk_exec* exec, dbk_exec_info* inout, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(exec, "exec").impl->context().check_open();
    check_out(inout, "inout");
    dbk_exec_info info{};
    exec->impl->info(info);
    copy_out(info, inout);
  });
}

dbk_status DBK_CALL exec_count(dbk_exec* exec, uint32_t role, uint32_t* out_count, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(exec, "exec").impl->context().check_open();
    check_pointer(out_count, "out_count");
    *out_count = exec->impl->count(role);
  });
}

dbk_status DBK_CALL exec_io(dbk_exec* exec, uint32_t role, uint32_t index, dbk_io_info* inout, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(exec, "exec").impl->context().check_open();
    check_out(inout, "inout");
    dbk_io_info info{};
    exec->impl->io(role, index, info);
    copy_out(info, inout);
  });
}

dbk_status DBK_CALL exec_find(dbk_exec* exec, uint32_t role, const dbk_str* name, uint32_t* out_index, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(exec, "exec").impl->context().check_open();
    check_pointer(name, "name");
    check_pointer(out_index, "out_index");
    *out_index = exec->impl->find(role, to_text(*name, "name"));
  });
}

dbk_status DBK_CALL set_param(dbk_exec* exec, uint32_t index, const dbk_tensor* tensor, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(exec, "exec");
    if (tensor) exec->impl->set_param(index, copy_in(tensor, "tensor"));
    else exec->impl->remove_param(index);
  });
}

dbk_status DBK_CALL exec_ready(dbk_exec* exec, const dbk_watch* watch, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(exec, "exec");
    exec->impl->make_ready(progress_of(watch));
  });
}

}  // namespace dbk::api
