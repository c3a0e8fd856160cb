#include <algorithm>

#include "plugin/api.h"
#include "plugin/check_report.h"
#include "plugin/handles.h"
#include "plugin/report.h"

namespace dbk::api {

namespace {

// 1.0 needs nothing of the host. It is asked nevertheless, for what nobody defines, so that a host that answers to every name, or has a
// pointer to nowhere, is noticed today and not by the first version that asks for something.
void check_extensions(const dbk_host& host) {
  if (host.get_extension && host.get_extension(host.user, "dbk.nothing/1"))
    fail(DBK_INVALID_ARGUMENT, "host: get_extension has an answer to 'dbk.nothing/1', which it cannot know");
}

}  // namespace

dbk_status DBK_CALL ctx_create(const dbk_host* host, const dbk_options* options, dbk_ctx** out_ctx, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    check_pointer(out_ctx, "out_ctx");
    const dbk_host h = copy_in(host, "host");
    if (h.abi != DBK_ABI_1_0) fail(DBK_INVALID_ARGUMENT, "host: abi {:#x} is not the agreed version {:#x}", h.abi, DBK_ABI_1_0);
    if (h.log_level > DBK_LOG_DEBUG) fail(DBK_INVALID_ARGUMENT, "host: log_level {}", h.log_level);
    check_extensions(h);
    *out_ctx = new dbk_ctx{std::make_shared<Context>(h, options)};
  });
}

void DBK_CALL ctx_destroy(dbk_ctx* ctx) noexcept {
  if (!ctx || ctx->impl->forked()) return;  // in a fork's child the threads are gone: leaking is all that is safe
  guard_void([&] { ctx->impl->close(); });
  delete ctx;
}

dbk_status DBK_CALL device_count(dbk_ctx* ctx, uint32_t* out_count, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(ctx, "ctx").impl->check_open();
    check_pointer(out_count, "out_count");
    *out_count = ctx->impl->device_count();
  });
}

dbk_status DBK_CALL device_info(dbk_ctx* ctx, uint32_t device, dbk_device_info* inout, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(ctx, "ctx").impl->check_open();
    check_out(inout, "inout");
    const DeviceInfo info = ctx->impl->device(device).info();
    dbk_device_info out{};
    out.kind = info.kind;
    out.api = info.api;
    out.vendor_id = info.vendor_id;
    out.device_id = info.device_id;
    std::ranges::copy(info.uuid, out.uuid);
    out.mem_total = info.mem_total;
    out.mem_free = info.mem_free;
    out.max_buffer = info.max_buffer;
    out.max_binding = info.max_binding;
    out.features = info.features;
    out.score = ctx->impl->ranking()[device].score;
    out.host_ptr_align = info.host_ptr_align;
    out.subgroup_min = info.subgroup_min;
    out.subgroup_max = info.subgroup_max;
    copy_text(out.name, info.name);
    copy_text(out.driver, info.driver);
    copy_text(out.unusable, info.unusable);
    copy_out(out, inout);
  });
}

dbk_status DBK_CALL device_recover(dbk_ctx* ctx, uint32_t device, const dbk_watch* watch, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(ctx, "ctx").impl->check_open();
    ctx->impl->recover(device, progress_of(watch));
  });
}

dbk_status DBK_CALL check(dbk_ctx* ctx, const dbk_compile_desc* desc, dbk_text** out_verdicts, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(ctx, "ctx").impl->check_open();
    check_pointer(out_verdicts, "out_verdicts");
    const dbk_compile_desc d = copy_in(desc, "desc");
    check_compile_mode(d.mode);
    *out_verdicts = make_text(check_report(*ctx->impl, d.device, copy_in(d.graph, "graph"), ctx->impl->compile_options(d.options), progress_of(d.watch)));
  });
}

}  // namespace dbk::api
