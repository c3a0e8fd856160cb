#include "plugin/buffer.h"

namespace dbk {

// The slow way, over host memory; devices that can do better override it.
void DeviceBuffer::copy_from(uint64_t offset, DeviceBuffer& src, uint64_t src_offset, uint64_t len) {
  std::vector<std::byte> bytes(len);
  src.read(src_offset, bytes.data(), len);
  write(offset, bytes.data(), len);
}

Buffer::Buffer(std::shared_ptr<Context> context, const dbk_buffer_desc& desc)
    : context_(std::move(context)), device_(&context_->device(context_->choose_device(desc.device, ""))), bytes_(desc.byte_len),
      usage_(desc.usage ? desc.usage : DBK_BUFFER_INPUT | DBK_BUFFER_OUTPUT) {
  if (desc.usage & ~(DBK_BUFFER_INPUT | DBK_BUFFER_OUTPUT)) fail(DBK_INVALID_ARGUMENT, "buffer: unknown usage {:#x}", desc.usage);
  if (desc.reserved) fail(DBK_INVALID_ARGUMENT, "buffer: reserved must be 0");
  if (desc.ownership != DBK_COPY && desc.ownership != DBK_UNTIL_DESTROY)
    fail(DBK_INVALID_ARGUMENT, "buffer: ownership {} is neither COPY nor UNTIL_DESTROY", desc.ownership);
  const DeviceInfo info = device_->info();
  if (bytes_ > info.max_buffer) fail(DBK_OUT_OF_RANGE, "buffer of {} bytes: the device's limit is {}", bytes_, info.max_buffer);
  if (!desc.host_ptr && desc.ownership != DBK_COPY) fail(DBK_INVALID_ARGUMENT, "buffer: ownership {} of no host_ptr", desc.ownership);
  const bool borrow = desc.host_ptr && desc.ownership == DBK_UNTIL_DESTROY;
  if (borrow && !info.host_ptr_align) fail(DBK_UNIMPLEMENTED, "buffer: the device cannot use host memory in place");
  if (borrow && (reinterpret_cast<uintptr_t>(desc.host_ptr) % info.host_ptr_align || bytes_ % info.host_ptr_align))
    fail(DBK_INVALID_ARGUMENT, "buffer: address and size of host_ptr must be multiples of {}", info.host_ptr_align);
  device_->worker().call([&] {
    memory_ = device_->create_buffer(bytes_, borrow && bytes_ ? desc.host_ptr : nullptr, context_->stats());
    life_ = device_->life();
    if (desc.host_ptr && !borrow && bytes_) memory_->write(0, desc.host_ptr, bytes_);
  });
  lent_ = borrow;
  context_->add(*this, *device_);
}

Buffer::~Buffer() { context_->remove(*this, *device_); }

void Buffer::close() {
  device_->worker().call([&] {  // behind the runs in flight
    if (mapped_ && memory_) memory_->unmap(/*write_back=*/false);
    mapped_ = false;
    closed_ = true;
    if (lent_ && memory_) memory_->return_borrowed();
  });
}

const char* Buffer::unusable() const {
  if (mapped_) return "is mapped";
  return closed_ && lent_ ? "is destroyed, and its memory was lent: bind another" : nullptr;
}

void Buffer::check_alive() const {
  context_->check_open();
  if (life_ != device_->life()) fail(DBK_FAILED_PRECONDITION, "the device was lost and the buffer with it: create it again");
}

std::shared_ptr<DeviceBuffer> Buffer::memory() const {
  check_alive();
  return memory_;
}

void Buffer::check_usage(uint32_t usage) const {
  if (!(usage_ & usage)) fail(DBK_INVALID_ARGUMENT, "the buffer was made for another usage ({:#x})", usage_);
}

void Buffer::check_range(uint64_t offset, uint64_t len) const {
  if (offset > bytes_ || len > bytes_ - offset) fail(DBK_OUT_OF_RANGE, "bytes [{}, +{}) are outside the buffer of {}", offset, len, bytes_);
}

void Buffer::write(uint64_t offset, const void* src, uint64_t len) {
  check_range(offset, len);
  if (mapped_) fail(DBK_FAILED_PRECONDITION, "the buffer is mapped");
  if (len && !src) fail(DBK_INVALID_ARGUMENT, "src is NULL");
  if (len) device_->worker().call([&] { memory()->write(offset, src, len); });
}

void Buffer::read(uint64_t offset, void* dst, uint64_t len) {
  check_range(offset, len);
  if (mapped_) fail(DBK_FAILED_PRECONDITION, "the buffer is mapped");
  if (len && !dst) fail(DBK_INVALID_ARGUMENT, "dst is NULL");
  if (len) device_->worker().call([&] { memory()->read(offset, dst, len); });
}

void Buffer::copy_from(uint64_t offset, Buffer& src, uint64_t src_offset, uint64_t len) {
  check_range(offset, len);
  src.check_range(src_offset, len);
  if (mapped_ || src.mapped_) fail(DBK_FAILED_PRECONDITION, "a buffer is mapped");
  if (this == &src && offset < src_offset + len && src_offset < offset + len) fail(DBK_INVALID_ARGUMENT, "the ranges overlap");
  if (!len) return;
  if (device_ == src.device_) return device_->worker().call([&] { memory()->copy_from(offset, *src.memory(), src_offset, len); });
  std::vector<std::byte> bytes(len);
  src.device_->worker().call([&] { src.memory()->read(src_offset, bytes.data(), len); });
  device_->worker().call([&] { memory()->write(offset, bytes.data(), len); });
}

void* Buffer::map(uint32_t mode, uint64_t offset, uint64_t len) {
  check_range(offset, len);
  if (mapped_) fail(DBK_FAILED_PRECONDITION, "the buffer is mapped already");
  if (mode == 0 || mode & ~(DBK_MAP_READ | DBK_MAP_WRITE)) fail(DBK_INVALID_ARGUMENT, "map: mode {:#x}", mode);
  void* pointer = nullptr;
  device_->worker().call([&] { pointer = memory()->map(mode, offset, len); });
  mapped_ = true;
  return pointer;
}

void Buffer::unmap() {
  if (!mapped_) fail(DBK_FAILED_PRECONDITION, "the buffer is not mapped");
  device_->worker().call([&] { memory()->unmap(/*write_back=*/true); });
  mapped_ = false;
}

void Buffer::release_device() { memory_.reset(); }

}  // namespace dbk
