#include "plugin/api.h"
#include "plugin/handles.h"

namespace dbk::api {

namespace {

// The work is done when these functions return, and so is its event. It is taken before the work, which may then not fail half-way.
template <class Work>
void complete(Context& context, dbk_event** out_done, Work&& work) {
  if (!out_done) return work();
  dbk_event* done = context.events().acquire();
  try {
    work();
  } catch (...) {
    done->release();
    throw;
  }
  done->complete(nullptr);
  *out_done = done;
}

}  // namespace

dbk_status DBK_CALL buffer_create(dbk_ctx* ctx, const dbk_buffer_desc* desc, dbk_buffer** out_buffer, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(ctx, "ctx").impl->check_open();
    check_pointer(out_buffer, "out_buffer");
    *out_buffer = new dbk_buffer{std::make_shared<Buffer>(ctx->impl, copy_in(desc, "desc"))};
  });
}

dbk_status DBK_CALL buffer_write(dbk_buffer* buffer, uint64_t byte_off, const void* src, uint64_t byte_len, dbk_event** out_done,
                                 dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(buffer, "buffer").impl->check_alive();
    complete(buffer->impl->context(), out_done, [&] { buffer->impl->write(byte_off, src, byte_len); });
  });
}

dbk_status DBK_CALL buffer_read(dbk_buffer* buffer, uint64_t byte_off, void* dst, uint64_t byte_len, dbk_event** out_done,
                                dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(buffer, "buffer").impl->check_alive();
    complete(buffer->impl->context(), out_done, [&] { buffer->impl->read(byte_off, dst, byte_len); });
  });
}

dbk_status DBK_CALL buffer_copy(dbk_buffer* dst, uint64_t dst_off, dbk_buffer* src, uint64_t src_off, uint64_t byte_len,
                                dbk_event** out_done, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(dst, "dst").impl->check_alive();
    required(src, "src").impl->check_alive();
    Context& context = dst->impl->context();
    if (&context != &src->impl->context()) fail(DBK_INVALID_ARGUMENT, "the buffers are of different contexts");
    complete(context, out_done, [&] { dst->impl->copy_from(dst_off, *src->impl, src_off, byte_len); });
  });
}

dbk_status DBK_CALL buffer_map(dbk_buffer* buffer, uint32_t mode, uint64_t byte_off, uint64_t byte_len, void** out_ptr,
                               dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(buffer, "buffer").impl->check_alive();
    check_pointer(out_ptr, "out_ptr");
    *out_ptr = buffer->impl->map(mode, byte_off, byte_len);
  });
}

dbk_status DBK_CALL buffer_unmap(dbk_buffer* buffer, dbk_error** out_error) noexcept {
  return guard(out_error, [&] {
    required(buffer, "buffer").impl->check_alive();
    buffer->impl->unmap();
  });
}

void DBK_CALL buffer_destroy(dbk_buffer* buffer) noexcept {
  if (!buffer || buffer->impl->context().forked()) return;
  guard_void([&] { buffer->impl->close(); });
  delete buffer;
}

}  // namespace dbk::api
