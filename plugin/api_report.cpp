#include "plugin/api.h"
#include "plugin/handles.h"
#include "plugin/report.h"

namespace dbk::api {

dbk_status DBK_CALL stats(dbk_ctx* ctx, dbk_exec* exec, dbk_run* run, dbk_stats* inout, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    if (!ctx && !exec && !run) fail(DBK_INVALID_ARGUMENT, "one of ctx, exec and run must be given");
    check_out(inout, "inout");
    run ? run->impl->check_alive() : exec ? exec->impl->check_open() : ctx->impl->check_open();
    dbk_stats out{};
    (run ? run->impl->stats() : exec ? exec->impl->stats() : ctx->impl->stats()).fill(out);
    copy_out(out, inout);
  });
}

dbk_status DBK_CALL report(const dbk_report_desc* desc, dbk_text** out_text, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    check_pointer(out_text, "out_text");
    const dbk_report_desc d = copy_in(desc, "desc");
    const Options no_options(d.options, "report");
    const Progress progress = progress_of(d.watch);
    const std::string kind = report_kind(to_text(d.kind, "kind"));
    if (!d.ctx && !d.exec && !d.run) fail(DBK_INVALID_ARGUMENT, "one of ctx, exec and run must be given");
    if (d.run) {
      d.run->impl->check_alive();
      *out_text = make_text(run_report(*d.run->impl, kind));
    } else if (d.exec) {
      d.exec->impl->check_open();
      *out_text = make_text(exec_report(*d.exec->impl, kind));
    } else {
      d.ctx->impl->check_open();
      *out_text = make_text(context_report(*d.ctx->impl, kind, progress));
    }
  });
}

}  // namespace dbk::api
