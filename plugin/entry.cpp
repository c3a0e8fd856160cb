// Negotiation and the table: the contents page of the plugin. No GPU work, no threads, no static objects with constructors.
#include <cstddef>
#include <cstdio>

#include "plugin/api.h"
#include "plugin/build_info.h"

namespace dbk {

namespace {

constexpr uint32_t kAbiMin = DBK_ABI_1_0, kAbiMax = DBK_ABI_1_0;

#if defined(__SANITIZE_ADDRESS__)
constexpr uint32_t kSanitizer = DBK_SANITIZER_ADDRESS;
#elif defined(__SANITIZE_THREAD__)
constexpr uint32_t kSanitizer = DBK_SANITIZER_THREAD;
#else
constexpr uint32_t kSanitizer = DBK_SANITIZER_NONE;
#endif

const dbk_info kInfo = {{sizeof(dbk_info), 0, nullptr}, "daybreak", DAYBREAK_VERSION, DAYBREAK_BUILD, kAbiMin, kAbiMax, kSanitizer, 0};

// The table of 1.0 ends here for ever, wherever that of the newest version does.
constexpr uint32_t kApi10Bytes = offsetof(dbk_api, report) + sizeof(dbk_api::report);

const dbk_api kApi10 = {
    kApi10Bytes, DBK_ABI_1_0, &kInfo,
    api::get_extension,
    api::error_get, api::error_destroy, api::text_get, api::text_destroy,
    api::ctx_create, api::ctx_destroy, api::device_count, api::device_info, api::device_recover, api::check,
    api::compile, api::exec_destroy, api::exec_info, api::exec_count, api::exec_io, api::exec_find, api::set_param, api::exec_ready,
    api::run_create, api::run_destroy, api::run_set_dim, api::run_bind, api::run_shape, api::run, api::run_cancel, api::read,
    api::event_wait, api::event_cancel, api::event_destroy,
    api::buffer_create, api::buffer_write, api::buffer_read, api::buffer_copy, api::buffer_map, api::buffer_unmap, api::buffer_destroy,
    api::stats, api::report,
};

dbk_status refuse(dbk_status code, char* why, uint32_t why_cap, const char* format, auto... args) {
  if (why && why_cap) std::snprintf(why, why_cap, format, args...);
  return code;
}

}  // namespace

}  // namespace dbk

dbk_status DBK_CALL dbk_entry(uint32_t host_abi_min, uint32_t host_abi_max, const dbk_api** out_api, char* why, uint32_t why_cap) {
  using namespace dbk;
  if (!out_api) return refuse(DBK_INVALID_ARGUMENT, why, why_cap, "out_api is NULL");
  if (host_abi_min > host_abi_max) return refuse(DBK_INVALID_ARGUMENT, why, why_cap, "the host's version range is empty");
  if (DBK_ABI_MAJOR(host_abi_min) != DBK_ABI_MAJOR(host_abi_max))  // its newest minor version of the older one is nowhere in the range
    return refuse(DBK_INVALID_ARGUMENT, why, why_cap, "the host's range, %u.%u to %u.%u, has two major versions: ask for each",
                  DBK_ABI_MAJOR(host_abi_min), DBK_ABI_MINOR(host_abi_min), DBK_ABI_MAJOR(host_abi_max), DBK_ABI_MINOR(host_abi_max));
  if (host_abi_min > kAbiMax || host_abi_max < kAbiMin)
    return refuse(DBK_UNIMPLEMENTED, why, why_cap, "daybreak %s speaks ABI %u.%u to %u.%u, the host %u.%u to %u.%u", kInfo.version,
                  DBK_ABI_MAJOR(kAbiMin), DBK_ABI_MINOR(kAbiMin), DBK_ABI_MAJOR(kAbiMax), DBK_ABI_MINOR(kAbiMax),
                  DBK_ABI_MAJOR(host_abi_min), DBK_ABI_MINOR(host_abi_min), DBK_ABI_MAJOR(host_abi_max), DBK_ABI_MINOR(host_abi_max));
  *out_api = &kApi10;
  return DBK_OK;
}
