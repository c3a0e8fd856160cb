// A GPU's share of an executable: pipelines of every node, weights on the device, all warmed.
#pragma once

#include "plugin/gpu/gpu_device.h"

namespace dbk::gpu {

// What runs need of their executable. Replaced as a whole when parameters change.
struct Prepared {
  std::shared_ptr<Session> session;
  dbk::Weights host_weights;
  // By value id and panel start: the buffers that kernels read.
  std::map<std::pair<ValueId, int64_t>, std::shared_ptr<const GpuWeight>> weights;
};

class GpuProgram final : public dbk::Program {
 public:
  GpuProgram(GpuDevice& device, std::shared_ptr<const Graph> graph, Stats& stats)
      : device_(device), graph_(std::move(graph)), stats_(stats), current_(std::make_shared<std::shared_ptr<const Prepared>>()) {}
  ~GpuProgram() override;

  void prepare(const Plan& plan, const dbk::Weights& weights, const Progress& progress) override;
  std::unique_ptr<Activation> activate(Stats& stats) override;
  uint64_t weight_bytes(const Plan& plan) const override;
  std::string kernel_of(const Plan& plan, uint32_t node) const override;

 private:
  std::vector<gpu::Program> programs(const Plan& plan) const;
  void upload(const Plan& plan, Prepared& prepared, const Progress& progress);
  void rehearse(const Plan& plan);
  // Calls f(value, type, panel) for every weight panel that device nodes of the plan read, each once.
  void each_panel(const Plan& plan, const std::function<void(ValueId, const TensorType&, const Panel&)>& f) const;

  GpuDevice& device_;
  std::shared_ptr<const Graph> graph_;
  Stats& stats_;
  std::shared_ptr<std::shared_ptr<const Prepared>> current_;  // shared with activations, which look for a newer one at set_plan
  uint64_t counted_ = 0;
};

}  // namespace dbk::gpu
