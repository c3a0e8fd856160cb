#include "plugin/api.h"
#include "plugin/handles.h"

namespace dbk::api {

namespace {

dbk_error_info info_of(const dbk_error& error, uint32_t index) {
  constexpr std::string_view kOutOfMemory = "out of host memory";
  const size_t count = error.is_static ? 1 : error.causes.size();
  if (index >= count) fail(DBK_OUT_OF_RANGE, "cause {} of {}", index, count);
  dbk_error_info info{};
  info.code = error.is_static ? DBK_OUT_OF_MEMORY : error.causes[index].code;
  info.node = error.is_static ? DBK_NONE : error.causes[index].node;
  info.value = error.is_static ? DBK_NONE : error.causes[index].value;
  info.count = static_cast<uint32_t>(count);
  info.msg = error.is_static ? kOutOfMemory.data() : error.causes[index].message.c_str();
  info.len = error.is_static ? kOutOfMemory.size() : error.causes[index].message.size();
  return info;
}

}  // namespace

const void* DBK_CALL get_extension(const char*) noexcept { return nullptr; }

dbk_status DBK_CALL error_get(const dbk_error* error, uint32_t index, dbk_error_info* inout) noexcept {
  return guard(nullptr, [&] {
    check_pointer(error, "error");
    check_out(inout, "inout");
    copy_out(info_of(*error, index), inout);
  });
}

void DBK_CALL error_destroy(dbk_error* error) noexcept {
  if (error && !error->is_static) delete error;
}

dbk_status DBK_CALL text_get(const dbk_text* text, const char** out_ptr, uint64_t* out_len) noexcept {
  return guard(nullptr, [&] {
    check_pointer(text, "text");
    check_pointer(out_ptr, "out_ptr");
    check_pointer(out_len, "out_len");
    *out_ptr = text->text.c_str();
    *out_len = text->text.size();
  });
}

void DBK_CALL text_destroy(dbk_text* text) noexcept { delete text; }

dbk_text* make_text(std::string text) { return new dbk_text{std::move(text)}; }

Progress progress_of(const dbk_watch* given) {
  if (!given) return [](uint32_t, uint64_t, uint64_t) {};
  const dbk_watch watch = copy_in(given, "watch");
  if (!watch.progress) return [](uint32_t, uint64_t, uint64_t) {};
  return [watch](uint32_t stage, uint64_t done, uint64_t total) {
    if (watch.progress(watch.user, stage, done, total)) fail(DBK_CANCELLED, "cancelled by the host's progress callback");
  };
}

}  // namespace dbk::api
