// The functions behind the table, one file per noun. Each is documented in abi/daybreak.h; here they only check pointers,
// copy structs and call the object.
#pragma once

#include "plugin/device.h"
#include "plugin/guard.h"
#include "plugin/struct_copy.h"

namespace dbk::api {

// A Progress over the caller's watch, which may be null.
Progress progress_of(const dbk_watch* watch);

// Makes a text handle.
dbk_text* make_text(std::string text);

// Fails unless `out` is there; `what` is the parameter's name.
template <class T>
void check_pointer(T* out, const char* what) {
  if (!out) fail(DBK_INVALID_ARGUMENT, "{} is NULL", what);
}

inline void check_compile_mode(uint32_t mode) {
  if (mode > DBK_COMPILE_PLAN_ONLY) fail(DBK_INVALID_ARGUMENT, "compile: unknown mode {}", mode);
}

// api_error.cpp
const void* DBK_CALL get_extension(const char*) noexcept;
dbk_status DBK_CALL error_get(const dbk_error*, uint32_t, dbk_error_info*) noexcept;
void DBK_CALL error_destroy(dbk_error*) noexcept;
dbk_status DBK_CALL text_get(const dbk_text*, const char**, uint64_t*) noexcept;
void DBK_CALL text_destroy(dbk_text*) noexcept;
// api_context.cpp
dbk_status DBK_CALL ctx_create(const dbk_host*, const dbk_options*, dbk_ctx**, dbk_error**) noexcept;
void DBK_CALL ctx_destroy(dbk_ctx*) noexcept;
dbk_status DBK_CALL device_count(dbk_ctx*, uint32_t*, dbk_error**) noexcept;
dbk_status DBK_CALL device_info(dbk_ctx*, uint32_t, dbk_device_info*, dbk_error**) noexcept;
dbk_status DBK_CALL device_recover(dbk_ctx*, uint32_t, const dbk_watch*, dbk_error**) noexcept;
dbk_status DBK_CALL check(dbk_ctx*, const dbk_compile_desc*, dbk_text**, dbk_error**) noexcept;
// api_exec.cpp
dbk_status DBK_CALL compile(dbk_ctx*, const dbk_compile_desc*, dbk_exec**, dbk_error**) noexcept;
void DBK_CALL exec_destroy(dbk_exec*) noexcept;
dbk_status DBK_CALL exec_info(dbk_exec*, dbk_exec_info*, dbk_error**) noexcept;
dbk_status DBK_CALL exec_count(dbk_exec*, uint32_t, uint32_t*, dbk_error**) noexcept;
dbk_status DBK_CALL exec_io(dbk_exec*, uint32_t, uint32_t, dbk_io_info*, dbk_error**) noexcept;
dbk_status DBK_CALL exec_find(dbk_exec*, uint32_t, const dbk_str*, uint32_t*, dbk_error**) noexcept;
dbk_status DBK_CALL set_param(dbk_exec*, uint32_t, const dbk_tensor*, dbk_error**) noexcept;
dbk_status DBK_CALL exec_ready(dbk_exec*, const dbk_watch*, dbk_error**) noexcept;
// api_run.cpp
dbk_status DBK_CALL run_create(dbk_exec*, const dbk_options*, dbk_run**, dbk_error**) noexcept;
void DBK_CALL run_destroy(dbk_run*) noexcept;
dbk_status DBK_CALL run_set_dim(dbk_run*, uint32_t, int64_t, dbk_error**) noexcept;
dbk_status DBK_CALL run_bind(dbk_run*, uint32_t, uint32_t, const dbk_tensor*, dbk_error**) noexcept;
dbk_status DBK_CALL run_shape(dbk_run*, uint32_t, uint32_t, int64_t*, uint32_t, uint32_t*, uint32_t*, dbk_error**) noexcept;
dbk_status DBK_CALL run(dbk_run*, const dbk_submit*, dbk_event**, dbk_error**) noexcept;
dbk_status DBK_CALL run_cancel(dbk_run*, dbk_error**) noexcept;
dbk_status DBK_CALL read(dbk_run*, const dbk_copy*, uint32_t, uint32_t, dbk_event**, dbk_error**) noexcept;
dbk_status DBK_CALL event_wait(dbk_event*, uint64_t, dbk_error**) noexcept;
dbk_status DBK_CALL event_cancel(dbk_event*, dbk_error**) noexcept;
void DBK_CALL event_destroy(dbk_event*) noexcept;
// api_buffer.cpp
dbk_status DBK_CALL buffer_create(dbk_ctx*, const dbk_buffer_desc*, dbk_buffer**, dbk_error**) noexcept;
dbk_status DBK_CALL buffer_write(dbk_buffer*, uint64_t, const void*, uint64_t, dbk_event**, dbk_error**) noexcept;
dbk_status DBK_CALL buffer_read(dbk_buffer*, uint64_t, void*, uint64_t, dbk_event**, dbk_error**) noexcept;
dbk_status DBK_CALL buffer_copy(dbk_buffer*, uint64_t, dbk_buffer*, uint64_t, uint64_t, dbk_event**, dbk_error**) noexcept;
dbk_status DBK_CALL buffer_map(dbk_buffer*, uint32_t, uint64_t, uint64_t, void**, dbk_error**) noexcept;
dbk_status DBK_CALL buffer_unmap(dbk_buffer*, dbk_error**) noexcept;
void DBK_CALL buffer_destroy(dbk_buffer*) noexcept;
// api_report.cpp
dbk_status DBK_CALL stats(dbk_ctx*, dbk_exec*, dbk_run*, dbk_stats*, dbk_error**) noexcept;
dbk_status DBK_CALL report(const dbk_report_desc*, dbk_text**, dbk_error**) noexcept;

}  // namespace dbk::api
