// Compute pipelines of one device, by their final text. Created asynchronously and in parallel; equal programs are one pipeline.
#pragma once

#include <unordered_map>

#include "plugin/gpu/dawn_device.h"

namespace dbk::gpu {

struct Pipeline {
  std::string label;
  wgpu::BindGroupLayout layout;
  wgpu::ComputePipeline pipeline;
  mutable bool dispatched = false;  // [worker] by a rehearsal: what drivers leave to the first dispatch is done

  wgpu::BindGroup bind(const DawnDevice& device, std::span<const wgpu::BindGroupEntry> entries) const;  // [worker]
};

class PipelineCache {
 public:
  explicit PipelineCache(const DawnDevice& device) : device_(device) {}

  // The pipelines of `programs`, in order, whose texts are written; builds those not there yet, all at once.
  std::vector<std::shared_ptr<const Pipeline>> get(std::span<const Program> programs, Stats& stats);

 private:
  struct Missing {
    const Program* program;
    std::string text, key;
  };
  wgpu::BindGroupLayout layout(uint32_t reads, uint32_t writes);
  void build(const std::vector<Missing>& missing, Stats& stats);

  const DawnDevice& device_;
  std::unordered_map<std::string, std::shared_ptr<const Pipeline>> pipelines_;
  std::unordered_map<uint64_t, wgpu::BindGroupLayout> layouts_;
};

}  // namespace dbk::gpu
