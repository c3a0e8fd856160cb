#include "plugin/gpu/host_memory.h"

namespace dbk::gpu {

HostMemory::HostMemory(std::shared_ptr<const DawnDevice> device, void* memory, uint64_t bytes, wgpu::BufferUsage usage)
    : device_(std::move(device)), buffer_(device_->import(memory, bytes, usage)) {}

HostMemory::~HostMemory() { device_->end_import(buffer_); }

std::optional<Pages> pages_of(const Weight& weight, const AdapterTraits& traits) {
  const uint64_t page = traits.info.host_ptr_align;
  if (!(traits.info.features & DBK_FEATURE_BORROW) || !weight.borrowed || !weight.bytes) return {};
  const uint64_t offset = reinterpret_cast<uintptr_t>(weight.data) % page;
  const uint64_t bytes = (offset + weight.bytes + page - 1) / page * page;
  const bool lent = offset <= weight.before && bytes - offset - weight.bytes <= weight.behind;
  if (!lent || offset % traits.view_alignment || bytes > traits.caps.max_buffer) return {};
  return Pages{const_cast<std::byte*>(weight.data) - offset, bytes, offset};
}

}  // namespace dbk::gpu
