// A plugin made of counters, for tests of the C++ header: every object it hands out is counted until it is destroyed,
// and any one function can be told to fail with two causes. It computes nothing.
#pragma once

#include <cstring>
#include <string>

#include "daybreak.h"

namespace fake {

struct State {
  int live = 0;          // objects handed out and not destroyed, errors and texts included
  std::string failing;   // the function that fails, or empty
  int32_t progress = 0;  // what the callback returned last
};
inline State state;

template <class T>
T* make() {
  ++state.live;
  return reinterpret_cast<T*>(new int(0));
}
template <class T>
void DBK_CALL destroy(T* object) {
  if (!object) return;
  --state.live;
  delete reinterpret_cast<int*>(object);
}

inline dbk_status result(const char* function, dbk_error** out_error) {
  if (out_error) *out_error = nullptr;
  if (state.failing != function) return DBK_OK;
  if (out_error) *out_error = make<dbk_error>();
  return DBK_OUT_OF_MEMORY;
}

template <class T>
dbk_status produce(const char* function, T** out, dbk_error** out_error) {
  const dbk_status status = result(function, out_error);
  if (status == DBK_OK && out) *out = make<T>();
  return status;
}

inline dbk_status DBK_CALL error_get(const dbk_error*, uint32_t index, dbk_error_info* inout) {
  static const char* const texts[] = {"first cause", "second cause"};
  if (index > 1) return DBK_OUT_OF_RANGE;
  inout->code = DBK_OUT_OF_MEMORY;
  inout->node = index ? 7 : DBK_NONE;
  inout->value = index ? DBK_NONE : 3;
  inout->count = 2;
  inout->msg = texts[index];
  inout->len = std::strlen(texts[index]);
  return DBK_OK;
}

// What a plugin does with a watch: nonzero cancels.
inline dbk_status watched(const char* function, const dbk_watch* watch, dbk_error** out_error) {
  state.progress = watch ? watch->progress(watch->user, DBK_STAGE_WEIGHTS, 1, 2) : 0;
  if (state.progress == 0) return result(function, out_error);
  if (out_error) *out_error = make<dbk_error>();
  return DBK_CANCELLED;
}

inline const dbk_api& table() {
  static const dbk_info info{{sizeof(dbk_info), 0, nullptr}, "fake", "0", "test", DBK_ABI_1_0, DBK_ABI_1_0, 0, 0};
  static const dbk_api api = [] {
    dbk_api a{};
    a.size = sizeof(dbk_api);
    a.abi = DBK_ABI_1_0;
    a.info = &info;
    a.error_get = error_get;
    a.error_destroy = destroy<dbk_error>;
    a.text_get = [](const dbk_text*, const char** out_ptr, uint64_t* out_len) -> dbk_status {
      if (state.failing == "text_get") return DBK_INTERNAL;
      *out_ptr = "{}";
      *out_len = 2;
      return DBK_OK;
    };
    a.text_destroy = destroy<dbk_text>;
    a.ctx_create = [](const dbk_host* host, const dbk_options*, dbk_ctx** out, dbk_error** e) {
      if (host->log) host->log(host->user, DBK_LOG_INFO, "hello", 5);
      return produce("ctx_create", out, e);
    };
    a.ctx_destroy = destroy<dbk_ctx>;
    a.check = [](dbk_ctx*, const dbk_compile_desc*, dbk_text** out, dbk_error** e) {
      return produce("check", out, e);
    };
    a.compile = [](dbk_ctx*, const dbk_compile_desc* desc, dbk_exec** out, dbk_error** e) {
      const dbk_status status = watched("compile", desc->watch, e);
      if (status == DBK_OK) *out = make<dbk_exec>();
      return status;
    };
    a.exec_destroy = destroy<dbk_exec>;
    a.exec_find = [](dbk_exec*, uint32_t, const dbk_str*, uint32_t* out, dbk_error** e) {
      *out = 0;
      return result("exec_find", e);
    };
    a.exec_io = [](dbk_exec*, uint32_t, uint32_t, dbk_io_info* inout, dbk_error** e) {
      inout->dtype = DBK_F32;
      return result("exec_io", e);
    };
    a.set_param = [](dbk_exec*, uint32_t, const dbk_tensor*, dbk_error** e) { return result("set_param", e); };
    a.exec_ready = [](dbk_exec*, const dbk_watch* watch, dbk_error** e) { return watched("exec_ready", watch, e); };
    a.run_create = [](dbk_exec*, const dbk_options*, dbk_run** out, dbk_error** e) { return produce("run_create", out, e); };
    a.run_destroy = destroy<dbk_run>;
    a.run_bind = [](dbk_run*, uint32_t, uint32_t, const dbk_tensor*, dbk_error** e) { return result("run_bind", e); };
    a.run_shape = [](dbk_run*, uint32_t, uint32_t, int64_t*, uint32_t, uint32_t* rank, uint32_t* exact, dbk_error** e) {
      *rank = 0;
      *exact = 1;
      return result("run_shape", e);
    };
    a.run = [](dbk_run*, const dbk_submit*, dbk_event** out, dbk_error** e) { return produce("run", out, e); };
    a.read = [](dbk_run*, const dbk_copy*, uint32_t, uint32_t, dbk_event** out, dbk_error** e) {
      return produce("read", out, e);
    };
    a.event_wait = [](dbk_event*, uint64_t, dbk_error** e) { return result("event_wait", e); };
    a.event_cancel = [](dbk_event*, dbk_error** e) { return result("event_cancel", e); };
    a.event_destroy = destroy<dbk_event>;
    a.buffer_create = [](dbk_ctx*, const dbk_buffer_desc*, dbk_buffer** out, dbk_error** e) {
      return produce("buffer_create", out, e);
    };
    a.buffer_map = [](dbk_buffer*, uint32_t, uint64_t, uint64_t, void** out, dbk_error** e) {
      const dbk_status status = result("buffer_map", e);
      if (status == DBK_OK) *out = &state;
      state.live += status == DBK_OK;
      return status;
    };
    a.buffer_unmap = [](dbk_buffer*, dbk_error** e) {
      --state.live;  // the mapping
      return result("buffer_unmap", e);
    };
    a.buffer_destroy = destroy<dbk_buffer>;
    a.report = [](const dbk_report_desc*, dbk_text** out, dbk_error** e) { return produce("report", out, e); };
    return a;
  }();
  return api;
}

inline dbk_status DBK_CALL entry(uint32_t, uint32_t, const dbk_api** out_api, char* why, uint32_t why_cap) {
  if (state.failing == "entry") {
    if (why_cap > 4) std::memcpy(why, "no!", 4);
    return DBK_UNIMPLEMENTED;
  }
  *out_api = &table();
  return DBK_OK;
}

}  // namespace fake
