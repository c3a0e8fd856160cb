// daybreak_buffer.hpp - completion events and device memory.
// Event waits for a run, read or copy and throws its failure. Buffer is device memory; Mapping gives the host a part of
// it until it goes. Buffers and mappings are for one thread at a time, events for any.
#ifndef DAYBREAK_BUFFER_HPP
#define DAYBREAK_BUFFER_HPP

#include <chrono>
#include <cstddef>
#include <span>

#include "daybreak_plugin.hpp"

namespace daybreak {

// Destroying an event neither waits nor cancels.
class Event {
 public:
  Event() = default;
  explicit Event(detail::LibraryPtr library) : handle_(std::move(library)) {}

  void wait() const { wait_ns(DBK_WAIT_FOREVER); }
  // Whether the work is done by then. Throws its failure.
  bool wait_for(std::chrono::nanoseconds timeout) const {
    return wait_ns(timeout.count() > 0 ? static_cast<uint64_t>(timeout.count()) : 0);
  }
  bool done() const { return wait_ns(0); }
  // Asks the work to stop, if it is a run; its outcome is then DBK_CANCELLED, unless it was too late. Later runs go on.
  void cancel() const {
    if (get()) detail::call(handle_.api(), handle_.api().event_cancel, get());
  }

  dbk_event* get() const noexcept { return handle_.get(); }
  dbk_event** out() noexcept { return handle_.out(); }

 private:
  bool wait_ns(uint64_t timeout) const {
    if (!get()) return true;
    // Without an error object, so that polling allocates nothing; a failure is asked for again, with its reason.
    const dbk_status status = handle_.api().event_wait(get(), timeout, nullptr);
    if (status == DBK_DEADLINE_EXCEEDED) return false;
    if (status != DBK_OK) detail::call(handle_.api(), handle_.api().event_wait, get(), uint64_t{0});
    return true;
  }

  detail::Handle<dbk_event, &dbk_api::event_destroy> handle_;
};

class Buffer;

// A mapped range; unmapped when it goes. It must go before its buffer.
class Mapping {
 public:
  Mapping(Mapping&& other) noexcept
      : api_(other.api_), buffer_(std::exchange(other.buffer_, nullptr)), bytes_(other.bytes_) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping() {
    if (buffer_) api_->buffer_unmap(buffer_, nullptr);
  }

  std::span<std::byte> bytes() const noexcept { return bytes_; }
  // Unmaps now, so that a failure can be thrown.
  void close() { detail::call(*api_, api_->buffer_unmap, std::exchange(buffer_, nullptr)); }

 private:
  friend Buffer;
  Mapping(const dbk_api& api, dbk_buffer* buffer, std::span<std::byte> bytes)
      : api_(&api), buffer_(buffer), bytes_(bytes) {}

  const dbk_api* api_;
  dbk_buffer* buffer_;
  std::span<std::byte> bytes_;
};

class Buffer {
 public:
  Buffer() = default;
  Buffer(const detail::LibraryPtr& library, dbk_ctx* ctx, const dbk_buffer_desc& desc)
      : handle_(library), byte_len_(desc.byte_len) {
    detail::call(api(), api().buffer_create, ctx, &desc, handle_.out());
  }

  uint64_t byte_len() const noexcept { return byte_len_; }
  dbk_buffer* get() const noexcept { return handle_.get(); }

  // Waits until written.
  void write(std::span<const std::byte> bytes, uint64_t byte_off = 0) { start_write(bytes, byte_off, nullptr); }
  Event write_later(std::span<const std::byte> bytes, uint64_t byte_off = 0) {
    Event done(handle_.library());
    start_write(bytes, byte_off, done.out());
    return done;
  }
  template <class T, std::size_t N>
  void write(std::span<T, N> data, uint64_t byte_off = 0) {
    write(std::span<const std::byte>(std::as_bytes(data)), byte_off);
  }

  // Waits until read.
  void read(std::span<std::byte> bytes, uint64_t byte_off = 0) const { start_read(bytes, byte_off, nullptr); }
  Event read_later(std::span<std::byte> bytes, uint64_t byte_off = 0) const {
    Event done(handle_.library());
    start_read(bytes, byte_off, done.out());
    return done;
  }
  template <class T, std::size_t N>
    requires(!std::is_const_v<T> && !std::is_same_v<T, std::byte>)
  void read(std::span<T, N> data, uint64_t byte_off = 0) const {
    read(std::span<std::byte>(std::as_writable_bytes(data)), byte_off);
  }

  // mode: DBK_MAP_READ | DBK_MAP_WRITE
  Mapping map(uint32_t mode, uint64_t byte_off, uint64_t byte_len) {
    void* data = nullptr;
    detail::call(api(), api().buffer_map, get(), mode, byte_off, byte_len, &data);
    return Mapping(api(), get(), {static_cast<std::byte*>(data), byte_len});
  }
  Mapping map(uint32_t mode) { return map(mode, 0, byte_len_); }

  // Waits for the copy.
  void copy_from(Buffer& source, uint64_t source_off, uint64_t byte_off, uint64_t byte_len) {
    dbk_event** blocking = nullptr;
    detail::call(api(), api().buffer_copy, get(), byte_off, source.get(), source_off, byte_len, blocking);
  }
  Event copy_from_later(Buffer& source, uint64_t source_off, uint64_t byte_off, uint64_t byte_len) {
    Event done(handle_.library());
    detail::call(api(), api().buffer_copy, get(), byte_off, source.get(), source_off, byte_len, done.out());
    return done;
  }

 private:
  const dbk_api& api() const { return handle_.api(); }
  void start_write(std::span<const std::byte> bytes, uint64_t byte_off, dbk_event** done) {
    const void* source = bytes.data();
    detail::call(api(), api().buffer_write, get(), byte_off, source, bytes.size(), done);
  }
  void start_read(std::span<std::byte> bytes, uint64_t byte_off, dbk_event** done) const {
    void* target = bytes.data();
    detail::call(api(), api().buffer_read, get(), byte_off, target, bytes.size(), done);
  }

  detail::Handle<dbk_buffer, &dbk_api::buffer_destroy> handle_;
  uint64_t byte_len_ = 0;
};

}  // namespace daybreak

#endif
