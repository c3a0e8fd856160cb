// A GPU as the plugin lists it. The Dawn device behind it is made on the worker when it is first needed, and again after a loss.
#pragma once

#include "plugin/gpu/pipeline_cache.h"
#include "plugin/gpu/weight_store.h"

namespace dbk::gpu {

// One life of a Dawn device and what is cached for it.
struct Session {
  std::shared_ptr<DawnDevice> device;
  std::unique_ptr<PipelineCache> pipelines;
  WeightStore weights;
};

class GpuDevice final : public Device {
 public:
  GpuDevice(std::shared_ptr<DawnInstance> instance, wgpu::Adapter adapter, AdapterTraits traits, bool validation);

  DeviceInfo info() override;
  std::string refuse(const Graph& graph, const Node& node, const Types& types) override;
  PlanRules plan_rules() override;
  bool is_cpu() const override { return false; }
  std::unique_ptr<dbk::Program> create_program(std::shared_ptr<const Graph> graph, Stats& stats) override;
  std::unique_ptr<DeviceBuffer> create_buffer(uint64_t bytes, void* host_ptr, Stats& stats) override;
  bool recover() override;
  void shut_down() override;

  // [worker] The running session; throws UNAVAILABLE where the device cannot be had or is lost.
  std::shared_ptr<Session> session();
  const AdapterTraits& traits() const { return traits_; }

 private:
  std::shared_ptr<DawnInstance> instance_;
  wgpu::Adapter adapter_;
  AdapterTraits traits_;
  bool validation_;
  std::shared_ptr<Session> session_;
};

}  // namespace dbk::gpu
