// Weights on the device. Equal content is one buffer, also across executables of a context.
#pragma once

#include <map>
#include <vector>

#include "plugin/gpu/families/pack.h"
#include "plugin/gpu/host_memory.h"

namespace dbk::gpu {

// A panel of a weight as kernels read it. Its bytes count in the context's statistics from when somebody has it whose statistics do; those
// that belong to the host (`borrowed`) never.
struct GpuWeight {
  GpuWeight(std::shared_ptr<const DawnDevice> device, wgpu::Buffer buffer, uint64_t offset, uint64_t bytes, bool borrowed);
  ~GpuWeight();
  GpuWeight(const GpuWeight&) = delete;
  GpuWeight& operator=(const GpuWeight&) = delete;
  void count_in(Stats* context);  // [worker] null: of somebody who is made to be measured

  const std::shared_ptr<const DawnDevice> device;  // keeps Dawn alive as long as the buffer
  const wgpu::Buffer buffer;
  const uint64_t offset, bytes;  // within the buffer
  const bool borrowed;

 private:
  Stats* ledger_ = nullptr;  // where it counts
};

class WeightStore {
 public:
  // The panel of a weight (Panel in plugin/gpu/family.h) as a buffer of its own. Throws OUT_OF_MEMORY.
  std::shared_ptr<const GpuWeight> get(const std::shared_ptr<const DawnDevice>& device, const TensorType& type, const Weight& weight,
                                       const Panel& panel, Stats& stats);

 private:
  struct Key {
    uint64_t low, high, bytes;  // content of the whole
    DType dtype;                // with extents and the panel, what is made of it; all empty for the whole as it is
    std::vector<int64_t> extents;
    Panel panel;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::weak_ptr<GpuWeight>> weights_;
};

}  // namespace dbk::gpu
