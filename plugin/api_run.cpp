#include <cstring>

#include "plugin/api.h"
#include "plugin/fork_guard.h"
#include "plugin/handles.h"

namespace dbk::api {

dbk_status DBK_CALL run_create(dbk_exec* exec, const dbk_options* options, dbk_run** out_run, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(exec, "exec");
    check_pointer(out_run, "out_run");
    const Options no_options(options, "run");
    *out_run = new dbk_run{std::make_shared<Run>(exec->impl)};
  });
}

void DBK_CALL run_destroy(dbk_run* run) noexcept {
  if (!run || run->impl->executable().context().forked()) return;
  guard_void([&] { run->impl->close(); });
  delete run;
}

dbk_status DBK_CALL run_set_dim(dbk_run* run, uint32_t symbol, int64_t extent, dbk_error** out_error) noexcept {
  return guard(out_error, [&] { required(run, "run").impl->set_dim(symbol, extent); });
}

dbk_status DBK_CALL run_bind(dbk_run* run, uint32_t role, uint32_t index, const dbk_tensor* tensor, dbk_error** out_error) noexcept {
  return guard(out_error, [&] { required(run, "run").impl->bind(role, index, tensor); });
}

dbk_status DBK_CALL run_shape(dbk_run* run, uint32_t role, uint32_t index, int64_t* out_dims, uint32_t cap, uint32_t* out_rank,
                              uint32_t* out_exact, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(run, "run").impl->check_alive();
    check_pointer(out_rank, "out_rank");
    check_pointer(out_exact, "out_exact");
    if (cap) check_pointer(out_dims, "out_dims");
    const bool rank_only = !out_dims;
    const auto [dims, exact, ranked] = run->impl->shape(role, index);
    if (!ranked) {
      *out_rank = DBK_NONE;
      *out_exact = 0;
      return;
    }
    if (dims.size() > cap && !rank_only) fail(DBK_OUT_OF_RANGE, "rank {} is over cap {}", dims.size(), cap);
    *out_rank = static_cast<uint32_t>(dims.size());
    if (!dims.empty() && !rank_only) std::memcpy(out_dims, dims.data(), dims.size() * sizeof(int64_t));
    *out_exact = exact;
  });
}

dbk_status DBK_CALL run(dbk_run* run, const dbk_submit* submit, dbk_event** out_done, dbk_error** out_error) noexcept {
  return guard(out_error, [&] { required(run, "run").impl->start(submit ? copy_in(submit, "submit") : dbk_submit{}, out_done); });
}

dbk_status DBK_CALL run_cancel(dbk_run* run, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(run, "run").impl->check_alive();
    run->impl->cancel();
  });
}

dbk_status DBK_CALL read(dbk_run* run, const dbk_copy* copies, uint32_t count, uint32_t stride, dbk_event** out_done,
                         dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(run, "run");
    if (count && !copies) fail(DBK_INVALID_ARGUMENT, "copies is NULL");
    std::vector<dbk_copy> list;
    for (uint32_t i = 0; i < count; ++i) list.push_back(copy_element<dbk_copy>(copies, stride, i, "copy"));
    run->impl->read(std::move(list), out_done);
  });
}

namespace {

void check_usable(dbk_event* event) {
  check_pointer(event, "event");
  if (event->generation() != process_generation()) fail(DBK_FAILED_PRECONDITION, "the event was made before fork()");
  if (event->orphaned()) fail(DBK_FAILED_PRECONDITION, "the event's context is destroyed");
}

}  // namespace

dbk_status DBK_CALL event_wait(dbk_event* event, uint64_t timeout_ns, dbk_error** out_error) noexcept {
  bool late = false;  // told without an exception where nobody wants the message, because hosts poll
  const dbk_status status = guard(out_error, [&] {
    check_usable(event);
    late = !event->wait(timeout_ns);
    if (late && out_error) fail(DBK_DEADLINE_EXCEEDED, "not done within {} ns", timeout_ns);
    if (!late) event->rethrow();
  });
  return late ? DBK_DEADLINE_EXCEEDED : status;
}

dbk_status DBK_CALL event_cancel(dbk_event* event, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    check_usable(event);
    event->cancel();
  });
}

void DBK_CALL event_destroy(dbk_event* event) noexcept {
  if (event && event->generation() == process_generation()) event->release();
}

}  // namespace dbk::api
