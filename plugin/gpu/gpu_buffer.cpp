#include "plugin/gpu/gpu_buffer.h"

#include <cstring>

namespace dbk::gpu {

GpuBuffer::GpuBuffer(std::shared_ptr<DawnDevice> device, uint64_t bytes, void* host_ptr, Stats& stats)
    : device_(std::move(device)), bytes_(bytes) {
  wgpu::BufferUsage usage = wgpu::BufferUsage::Storage | wgpu::BufferUsage::CopyDst | wgpu::BufferUsage::CopySrc;
  const AdapterTraits& traits = device_->traits();
  if (host_ptr) {
    borrowed_.emplace(device_, host_ptr, bytes, usage);
    buffer_ = borrowed_->buffer();
  } else {
    mappable_ = traits.map_in_place;
    if (mappable_) usage |= wgpu::BufferUsage::MapRead;
    buffer_ = device_->allocate(bytes, usage, "buffer");
  }
  stats.add(&Stats::buffers_created, 1);
  stats.add(&Stats::device_objects, 1);
}

void GpuBuffer::write(uint64_t offset, const void* src, uint64_t len) {
  const uint64_t head = offset % 4;
  if (head == 0 && (len % 4 == 0 || offset + len == bytes_)) {
    device_->write(buffer_, offset, src, len);
  } else {  // neighbours within the first and last word stay as they are
    const uint64_t start = offset - head, end = std::min((offset + len + 3) / 4 * 4, bytes_);
    std::vector<std::byte> words(end - start);
    read(start, words.data(), words.size());
    std::memcpy(words.data() + head, src, len);
    device_->write(buffer_, start, words.data(), words.size());
  }
  device_->wait_for_queue();
  device_->check();
}

void GpuBuffer::read(uint64_t offset, void* dst, uint64_t len) {
  if (mappable_) device_->read_mapped(buffer_, offset, dst, len);
  else device_->read_copy(buffer_, offset, dst, len);
}

void GpuBuffer::copy_from(uint64_t offset, DeviceBuffer& src, uint64_t src_offset, uint64_t len) {
  if (offset % 4 || src_offset % 4 || len % 4 || &src == this) return DeviceBuffer::copy_from(offset, src, src_offset, len);
  const wgpu::CommandEncoder encoder = device_->device().CreateCommandEncoder();
  encoder.CopyBufferToBuffer(static_cast<GpuBuffer&>(src).buffer_, src_offset, buffer_, offset, len);
  device_->submit(encoder);
  device_->wait_for_queue();
  device_->check();
}

std::byte* GpuBuffer::map(uint32_t mode, uint64_t offset, uint64_t len) {
  mapping_.resize(std::max<uint64_t>(len, 1));  // the pointer is never NULL
  mapped_bytes_ = len;
  mapping_offset_ = offset;
  write_back_ = mode & DBK_MAP_WRITE;
  if (len) read(offset, mapping_.data(), len);
  return mapping_.data();
}

void GpuBuffer::unmap(bool write_back) {
  if (write_back && write_back_ && mapped_bytes_) write(mapping_offset_, mapping_.data(), mapped_bytes_);
  mapping_ = {};
}

}  // namespace dbk::gpu
