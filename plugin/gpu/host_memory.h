// Memory of the host that a Dawn device uses in place, as a buffer. The driver holds on to the pages until the destructor returns; their
// owner may unmap them then. Made and destroyed on the worker.
#pragma once

#include "plugin/gpu/dawn_device.h"

namespace dbk::gpu {

class HostMemory {
 public:
  // Address and size are multiples of DeviceInfo::host_ptr_align. Throws where the driver refuses, and Dawn then gives the device up for
  // lost: GpuDevice::refuse_memory tells before.
  HostMemory(std::shared_ptr<const DawnDevice> device, void* memory, uint64_t bytes, wgpu::BufferUsage usage);
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  const wgpu::Buffer& buffer() const { return buffer_; }

 private:
  std::shared_ptr<const DawnDevice> device_;
  wgpu::Buffer buffer_;
};

// Whole pages of the host, and where something lies in them.
struct Pages {
  std::byte* memory;
  uint64_t bytes, offset;
};

// The pages that hold a weight the host lends, where the device may use them in place: they are lent whole, and a binding may begin
// where the weight does.
std::optional<Pages> pages_of(const Weight& weight, const AdapterTraits& traits);

}  // namespace dbk::gpu
