// A plugin with many faults, for the test that `daybreak validate` finds faults and survives them: functions are
// missing, it prints, exports a second symbol, agrees to every version and crashes when compiling.
#include <cstdio>

#include "fake_plugin.h"

extern "C" DBK_EXPORT const int second_symbol = 1;

namespace {

const dbk_api& broken_table() {
  static dbk_api api = fake::table();
  api.device_count = [](dbk_ctx*, uint32_t* out_count, dbk_error**) -> dbk_status {
    std::puts("a plugin must not say this");
    std::fflush(stdout);
    *out_count = 1;
    return DBK_OK;
  };
  api.compile = [](dbk_ctx*, const dbk_compile_desc*, dbk_exec**, dbk_error**) -> dbk_status { __builtin_trap(); };
  return api;
}

}  // namespace

extern "C" DBK_EXPORT dbk_status DBK_CALL dbk_entry(uint32_t, uint32_t, const dbk_api** out_api, char*, uint32_t) {
  *out_api = &broken_table();
  return DBK_OK;
}
