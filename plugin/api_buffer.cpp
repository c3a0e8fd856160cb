#include "plugin/api.h"
#include "plugin/handles.h"

namespace dbk::api {

dbk_status DBK_CALL buffer_create(dbk_ctx* ctx, const dbk_buffer_desc* desc, dbk_buffer** out_buffer, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(ctx, "ctx").impl->check_open();
    check_pointer(out_buffer, "out_buffer");
    *out_buffer = new dbk_buffer{std::make_shared<Buffer>(ctx->impl, copy_in(desc, "desc"))};
  });
}

dbk_status DBK_CALL buffer_write(dbk_buffer* buffer, uint64_t byte_off, const void* src, uint64_t byte_len, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(buffer, "buffer").impl->context().check_open();
    buffer->impl->write(byte_off, src, byte_len);
  });
}

dbk_status DBK_CALL buffer_copy(dbk_buffer* dst, uint64_t dst_off, dbk_buffer* src, uint64_t src_off, uint64_t byte_len,
                                dbk_event** out_done, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(dst, "dst").impl->context().check_open();
    check_pointer(src, "src");
    if (&dst->impl->context() != &src->impl->context()) fail(DBK_INVALID_ARGUMENT, "the buffers are of different contexts");
    dst->impl->copy_from(dst_off, *src->impl, src_off, byte_len);
    if (!out_done) return;
    *out_done = dst->impl->context().events().acquire();  // the copy is done: so is its event
    (*out_done)->complete(nullptr);
  });
}

dbk_status DBK_CALL buffer_map(dbk_buffer* buffer, uint32_t mode, uint64_t byte_off, uint64_t byte_len, void** out_ptr,
                               dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(buffer, "buffer").impl->context().check_open();
    check_pointer(out_ptr, "out_ptr");
    *out_ptr = buffer->impl->map(mode, byte_off, byte_len);
  });
}

dbk_status DBK_CALL buffer_unmap(dbk_buffer* buffer, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(buffer, "buffer").impl->context().check_open();
    buffer->impl->unmap();
  });
}

void DBK_CALL buffer_destroy(dbk_buffer* buffer) noexcept {
  if (!buffer || buffer->impl->context().forked()) return;
  guard_void([&] {
    buffer->impl.reset();
    delete buffer;
  });
}

}  // namespace dbk::api
