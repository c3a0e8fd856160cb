#include "plugin/gpu/weight_store.h"

#include <xxhash.h>

#include <cstring>

namespace dbk::gpu {

namespace {

int64_t columns_of(const TensorType& type) { return type.shape.rank() ? type.shape[type.shape.rank() - 1] : 1; }

// The panel's columns of every row, one row behind the other.
std::vector<std::byte> cut(const TensorType& type, const Weight& weight, const Panel& panel) {
  const uint64_t element = bits_of(type.dtype) / 8, columns = static_cast<uint64_t>(columns_of(type));
  const uint64_t rows = columns ? weight.bytes / element / columns : 0;
  const uint64_t row_bytes = static_cast<uint64_t>(panel.count) * element;
  std::vector<std::byte> bytes(rows * row_bytes);
  for (uint64_t r = 0; r < rows; ++r)
    std::memcpy(bytes.data() + r * row_bytes, weight.data + (r * columns + static_cast<uint64_t>(panel.first)) * element, row_bytes);
  return bytes;
}

}  // namespace

Panel whole(const TensorType& type) { return {0, columns_of(type)}; }

uint64_t panel_bytes(const TensorType& type, const Panel& panel) {
  const int64_t columns = columns_of(type);
  if (columns == 0 || panel.count == columns) return static_cast<uint64_t>(type.bytes());
  return static_cast<uint64_t>(type.bytes()) / static_cast<uint64_t>(columns) * static_cast<uint64_t>(panel.count);
}

std::shared_ptr<const GpuWeight> WeightStore::get(const std::shared_ptr<const DawnDevice>& device, const TensorType& type,
                                                  const Weight& weight, const Panel& panel, Stats& stats) {
  const XXH128_hash_t hash = XXH3_128bits(weight.data, weight.bytes);
  std::weak_ptr<const GpuWeight>& entry = weights_[{hash.low64, hash.high64, weight.bytes, panel.first, panel.count}];
  if (auto shared = entry.lock(); shared && shared->device == device) return shared;
  auto made = std::make_shared<GpuWeight>();
  made->device = device;
  made->bytes = panel_bytes(type, panel);
  constexpr auto kUsage = wgpu::BufferUsage::Storage | wgpu::BufferUsage::CopyDst | wgpu::BufferUsage::CopySrc;
  made->buffer = device->allocate(made->bytes, kUsage, "weight");
  stats.add(&Stats::buffers_created, 1);
  stats.add(&Stats::device_objects, 1);
  if (panel.count == columns_of(type)) {
    device->write(made->buffer, 0, weight.data, weight.bytes);
  } else {
    const std::vector<std::byte> bytes = cut(type, weight, panel);
    device->write(made->buffer, 0, bytes.data(), bytes.size());
  }
  stats.add(&Stats::upload_bytes, made->bytes);
  entry = made;
  return made;
}

}  // namespace dbk::gpu
