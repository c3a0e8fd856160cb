// A GPU as the plugin lists it. The Dawn device behind it is made on the worker when it is first needed, and again after a loss.
#pragma once

#include "plugin/gpu/matrix_check.h"
#include "plugin/gpu/tuning_files.h"
#include "plugin/gpu/weight_store.h"

namespace dbk::gpu {

// One life of a Dawn device and what is cached for it.
struct Session {
  std::shared_ptr<DawnDevice> device;
  std::shared_ptr<DawnDevice> scout;  // for questions a device may not survive; made when first needed
  std::unique_ptr<PipelineCache> pipelines;
  WeightStore weights;
};

class GpuDevice final : public Device {
 public:
  // The adapter is number `position` of those that the instance finds for `backend`.
  GpuDevice(std::shared_ptr<DawnInstance> instance, wgpu::BackendType backend, size_t position, AdapterTraits traits, const Options& options,
            std::shared_ptr<CacheFolder> cache, std::shared_ptr<TuningFiles> tuning);

  DeviceInfo info() override;
  std::string refuse_op(const Node& node) override;
  std::string refuse(const Graph& graph, const Node& node, const Types& types) override;
  std::string refuse_options() override;
  PlanRules plan_rules() override;
  bool is_cpu() const override { return false; }
  std::unique_ptr<dbk::Program> create_program(std::shared_ptr<const Graph> graph, Stats& stats) override;
  std::unique_ptr<DeviceBuffer> create_buffer(uint64_t bytes, void* host_ptr, Stats& stats) override;
  void shut_down() override;

  // [worker] The running session; throws UNAVAILABLE where the device cannot be had or is lost.
  std::shared_ptr<Session> session();
  // [worker] Empty where the driver lets the device use this memory of the host in place, else why not. Drivers may refuse some (mapped
  // files, memory that cannot be written), and Dawn gives a device up for lost when they do: so another device is asked.
  std::string refuse_memory(void* memory, uint64_t bytes);
  const AdapterTraits& traits() const { return traits_; }
  // The adapter's, without matrices of subgroups that have turned out to be wrong (matrix_check.h).
  Capabilities capabilities() const;
  // The matrices that kernels may use: those that are right. Tries them as far as nobody has; where that fails there are fewer.
  std::vector<MatrixConfig> proven_matrices();
  // What has been measured of kernels until now.
  std::shared_ptr<const TunedProducts> tuned() const;
  void keep_measured(const std::string& about, const Trial::Known& known) override;
  bool rounds_products() const override;
  bool measures_forms() const override;
  Trial::Known measured(const std::string& about) const override;

 private:
  bool make_anew() override;
  std::shared_ptr<DawnDevice> new_device() const;
  std::shared_ptr<Session> new_session() const;
  const std::shared_ptr<const TunedProducts>& known_products() const;  // with tuned_mutex_

  std::shared_ptr<DawnInstance> instance_;
  wgpu::BackendType backend_;
  size_t position_;
  AdapterTraits traits_;
  Options options_;  // of the context
  std::shared_ptr<CacheFolder> cache_;
  std::shared_ptr<TuningFiles> tuning_;
  mutable std::mutex tuned_mutex_;
  mutable std::shared_ptr<const TunedProducts> tuned_;  // null until somebody asks
  std::atomic<std::shared_ptr<const MatrixVerdicts>> matrix_verdicts_ = std::make_shared<const MatrixVerdicts>();  // replaced on the worker
  std::shared_ptr<Session> session_;
};

}  // namespace dbk::gpu
