// A GPU's share of an executable: pipelines of every node, weights on the device, all warmed.
#pragma once

#include "plugin/body_programs.h"
#include "plugin/cpu/packed_weights.h"
#include "plugin/gpu/gpu_device.h"
#include "plugin/gpu/node_operands.h"
#include "plugin/gpu/program_table.h"
#include "plugin/gpu/weight_verdicts.h"

namespace dbk::gpu {

using WeightKey = std::pair<ValueId, Panel>;

// What runs need of their executable. Replaced as a whole when parameters change.
struct Prepared {
  std::shared_ptr<Session> session;
  std::shared_ptr<ProgramTable> table;       // of that session
  std::shared_ptr<const Capabilities> caps;  // programs, weights and launches are chosen from the same
  dbk::Weights host_weights;
  std::shared_ptr<const WeightVerdicts> verdicts;                 // by which kernels were chosen
  std::map<WeightKey, std::shared_ptr<const GpuWeight>> weights;  // what kernels read
};

class GpuProgram final : public dbk::Program {
 public:
  GpuProgram(GpuDevice& device, std::shared_ptr<const Graph> graph, Stats& stats)
      : device_(device), graph_(std::move(graph)), caps_(capabilities_for(device, *graph_)), stats_(stats), bodies_(device, graph_, stats), packed_(stats),
        verdicts_(std::make_shared<WeightVerdicts>()), current_(std::make_shared<std::atomic<std::shared_ptr<const Prepared>>>()) {}
  ~GpuProgram() override;

  void prove(const Plan& plan) override;
  void judge(const Plan& plan, const dbk::Weights& weights) override;
  std::vector<ValueId> judged_weights(const Plan& plan) const override;
  void prepare(const Plan& plan, const dbk::Weights& weights, const Progress& progress) override;
  bool has_other_kernels() const override { return true; }
  void warm_up(const Plan& plan) override;
  void complete(const Plan& plan) override;
  std::unique_ptr<Activation> activate(Stats& stats) override;
  WeightUse weight_use(const Plan& plan, const dbk::Weights& weights) const override;
  uint64_t scratch_bytes(const Plan& plan) const override;
  void return_borrowed() override { bodies_.return_borrowed(), borrowed_.clear(), current_->store(nullptr); }
  std::string kernel_of(const Plan& plan, uint32_t node) const override;
  std::optional<Json> choice_of(const Plan& plan, uint32_t node) const override;
  std::vector<Trial> trials(const Plan& plan, const Types& types, Tried wanted) const override;
  void use_measured() override;

 private:
  // Memory of the host that weights are read from. Only the program owns it: it goes with the program, whatever runs still hold.
  using Borrowed = std::map<WeightKey, std::shared_ptr<HostMemory>>;

  static std::shared_ptr<const Capabilities> capabilities_for(const GpuDevice& device, const Graph& graph);
  WeightUse own_weight_use(const Plan& plan, const dbk::Weights& weights) const;  // without bodies, which count their own
  // The node of a plan with what was last judged of its weight.
  NodeOperands operands_of(const Plan& plan, uint32_t node, const WeightVerdicts& verdicts) const;
  std::vector<gpu::Program> candidates(const Plan& plan) const;
  std::vector<gpu::Program> programs(const Plan& plan) const;
  bool may_use_matrices(const Plan& plan) const;
  void fill(const Plan& plan, Prepared& prepared, Borrowed& borrowed, const std::vector<gpu::Program>& needed, const Progress& progress);
  void upload(const Plan& plan, Prepared& prepared, Borrowed& borrowed, const Progress& progress);
  std::shared_ptr<const GpuWeight> store(const WeightKey& key, const TensorType& type, const Prepared& prepared, Borrowed& borrowed);
  std::shared_ptr<const GpuWeight> kept(const WeightKey& key, const Weight& weight) const;
  void rehearse(const Plan& plan);
  bool takes_new_pipelines(const Plan& plan) const;  // [worker] that no rehearsal has met
  // Calls f(value, type, panel) for every weight panel that device nodes of the plan read, each once.
  void each_panel(const Plan& plan, const WeightVerdicts& verdicts, const std::function<void(ValueId, const TensorType&, const Panel&)>& f) const;

  GpuDevice& device_;
  std::shared_ptr<const Graph> graph_;
  std::atomic<std::shared_ptr<const Capabilities>> caps_;  // the device's, with what is known of its kernels
  Stats& stats_;
  BodyPrograms bodies_;
  PackedWeights packed_;  // for parts that run on the host
  void count_weights(uint64_t bytes);
  std::atomic<std::shared_ptr<const WeightVerdicts>> verdicts_;  // the newest; reports look from other threads
  Current<Prepared> current_;  // shared with activations, which look for a newer one at set_plan
  Borrowed borrowed_;          // what the current one reads
  std::atomic<uint64_t> counted_{0};  // in the statistics: by ready and by binds
};

}  // namespace dbk::gpu
