#include "plugin/gpu/weight_store.h"

#include <xxhash.h>

namespace dbk::gpu {

GpuWeight::GpuWeight(std::shared_ptr<const DawnDevice> d, wgpu::Buffer b, uint64_t off, uint64_t size, bool of_host)
    : device(std::move(d)), buffer(std::move(b)), offset(off), bytes(size), borrowed(of_host) {}

GpuWeight::~GpuWeight() {
  if (ledger_) ledger_->subtract(&Stats::weight_bytes, bytes);
}

void GpuWeight::count_in(Stats* context) {
  if (ledger_ || !context) return;
  ledger_ = context;
  ledger_->add(&Stats::weight_bytes, bytes);
}

std::shared_ptr<const GpuWeight> WeightStore::get(const std::shared_ptr<const DawnDevice>& device, const TensorType& type,
                                                  const Weight& weight, const Panel& panel, Stats& stats) {
  const XXH128_hash_t hash = XXH3_128bits(weight.data, weight.bytes);
  Key key{hash.low64, hash.high64, weight.bytes, DBK_DTYPE_NONE, {}, {}};
  if (!is_whole(type, panel)) key.dtype = type.dtype, key.extents.assign(type.shape.begin(), type.shape.end()), key.panel = panel;
  if (const auto known = weights_.find(key); known == weights_.end()) std::erase_if(weights_, [](const auto& each) { return each.second.expired(); });
  std::weak_ptr<GpuWeight>& entry = weights_[key];
  if (auto shared = entry.lock(); shared && shared->device == device) {
    shared->count_in(stats.parent);
    return shared;
  }
  const uint64_t bytes = panel_bytes(type, panel);
  constexpr auto kUsage = wgpu::BufferUsage::Storage | wgpu::BufferUsage::CopyDst | wgpu::BufferUsage::CopySrc;
  const wgpu::Buffer buffer = device->allocate(bytes, kUsage, "weight");
  if (is_whole(type, panel)) {
    device->write(buffer, 0, weight.data, weight.bytes);
  } else {
    const std::vector<std::byte> packed = pack_panel(type, weight.data, panel);
    device->write(buffer, 0, packed.data(), packed.size());
  }
  stats.add(&Stats::buffers_created, 1);
  stats.add(&Stats::device_objects, 1);
  stats.add(&Stats::upload_bytes, bytes);
  auto made = std::make_shared<GpuWeight>(device, buffer, 0, bytes, /*borrowed=*/false);
  made->count_in(stats.parent);
  entry = made;
  return made;
}

}  // namespace dbk::gpu
