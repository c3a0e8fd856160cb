// Memory of the CPU device: the host's own.
#pragma once

#include <cstring>

#include "plugin/device.h"

namespace dbk {

class CpuBuffer final : public DeviceBuffer {
 public:
  CpuBuffer(uint64_t bytes, void* host_ptr, Stats& stats) : size_(bytes), stats_(stats) {
    const uint64_t room = std::max<uint64_t>((bytes + 15) / 16 * 16, 16);  // kernels may read whole vectors
    if (host_ptr) data_ = {std::shared_ptr<std::byte[]>(), static_cast<std::byte*>(host_ptr)};
    else data_ = allocate_bytes(room, "a buffer"), std::memset(data_.get(), 0, room);
    stats_.add(&Stats::buffers_created, 1);
  }

  std::byte* data() { return data_.get(); }
  uint64_t size() const override { return size_; }
  void write(uint64_t offset, const void* src, uint64_t len) override { std::memcpy(data() + offset, src, len); }
  void read(uint64_t offset, void* dst, uint64_t len) override { std::memcpy(dst, data() + offset, len); }
  void copy_from(uint64_t offset, DeviceBuffer& src, uint64_t src_offset, uint64_t len) override {
    std::memcpy(data() + offset, static_cast<CpuBuffer&>(src).data() + src_offset, len);
  }
  std::byte* map(uint32_t, uint64_t offset, uint64_t) override { return data() + offset; }
  void unmap(bool) override {}

 private:
  uint64_t size_;
  Stats& stats_;
  std::shared_ptr<std::byte[]> data_;
};

}  // namespace dbk
