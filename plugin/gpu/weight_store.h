// Weights on the device. Equal content is one buffer, also across executables of a context.
#pragma once

#include <map>

#include "plugin/gpu/dawn_device.h"

namespace dbk::gpu {

struct GpuWeight {
  std::shared_ptr<const DawnDevice> device;  // keeps Dawn alive as long as the buffer
  wgpu::Buffer buffer;
  uint64_t bytes = 0;
};

class WeightStore {
 public:
  // The panel of a weight (columns of its last axis) as a buffer of its own. Throws OUT_OF_MEMORY.
  std::shared_ptr<const GpuWeight> get(const std::shared_ptr<const DawnDevice>& device, const TensorType& type, const Weight& weight,
                                       const Panel& panel, Stats& stats);

 private:
  struct Key {
    uint64_t low, high, bytes;
    int64_t first, count;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::weak_ptr<const GpuWeight>> weights_;
};

// The panel that is the whole weight.
Panel whole(const TensorType& type);
// Bytes of a panel.
uint64_t panel_bytes(const TensorType& type, const Panel& panel);

}  // namespace dbk::gpu
