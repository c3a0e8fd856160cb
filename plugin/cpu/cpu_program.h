// The CPU's share of an executable: weights, packed where a kernel wants them so, and the programs of bodies.
#pragma once

#include "plugin/body_programs.h"
#include "plugin/cpu/packed_weights.h"

namespace dbk {

class CpuProgram final : public Program {
 public:
  CpuProgram(Device& device, std::shared_ptr<const Graph> graph, Stats& stats);
  ~CpuProgram() override;

  void prepare(const Plan& plan, const Weights& weights, const Progress& progress) override;
  void complete(const Plan& plan) override;
  std::unique_ptr<Activation> activate(Stats& stats) override;
  WeightUse weight_use(const Plan& plan, const Weights& weights) const override;
  uint64_t scratch_bytes(const Plan& plan) const override;
  std::string kernel_of(const Plan& plan, uint32_t node) const override;

 private:
  WeightUse plain_use(const Plan& plan, const Weights& weights) const;  // without what is packed
  void rehearse(const Plan& plan);

  Device& device_;
  std::shared_ptr<const Graph> graph_;
  Stats& stats_;
  BodyPrograms bodies_;
  Current<Weights> current_;
  PackedWeights packed_;
  uint64_t counted_ = 0;
  bool rehearsed_ = false, worth_rehearsing_ = false;  // [worker]
};

}  // namespace dbk
