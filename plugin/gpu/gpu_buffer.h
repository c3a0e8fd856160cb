// Device memory of a GPU behind a dbk_buffer.
#pragma once

#include "plugin/gpu/host_memory.h"

namespace dbk::gpu {

class GpuBuffer final : public DeviceBuffer {
 public:
  GpuBuffer(std::shared_ptr<DawnDevice> device, uint64_t bytes, void* host_ptr, Stats& stats);

  uint64_t size() const override { return bytes_; }
  const wgpu::Buffer& buffer() const { return buffer_; }
  void write(uint64_t offset, const void* src, uint64_t len) override;
  void read(uint64_t offset, void* dst, uint64_t len) override;
  void copy_from(uint64_t offset, DeviceBuffer& src, uint64_t src_offset, uint64_t len) override;
  // A host copy stands in for the memory: it also serves devices that cannot map storage, and any range.
  std::byte* map(uint32_t mode, uint64_t offset, uint64_t len) override;
  void unmap(bool write_back) override;
  void return_borrowed() override { borrowed_.reset(); }

 private:
  std::shared_ptr<DawnDevice> device_;
  uint64_t bytes_;
  bool mappable_ = false;
  std::optional<HostMemory> borrowed_;
  wgpu::Buffer buffer_;
  std::vector<std::byte> mapping_;
  uint64_t mapping_offset_ = 0, mapped_bytes_ = 0;
  bool write_back_ = false;
};

}  // namespace dbk::gpu
