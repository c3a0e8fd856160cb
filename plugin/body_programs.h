// The programs of the bodies inside a graph: each is one like that of the graph itself, on the same device.
#pragma once

#include <atomic>
#include <map>

#include "plugin/device.h"

namespace dbk {

class BodyPrograms {
 public:
  BodyPrograms(Device& device, std::shared_ptr<const Graph> graph, Stats& stats);

  void prove(const Plan& plan);
  void judge(const Plan& plan, const Weights& weights);
  // Kernels and weights for the bodies that a plan of the graph runs.
  void prepare(const Plan& plan, const Weights& weights, const Progress& progress);
  // [worker] The same for bodies that turned up since.
  void complete(const Plan& plan, const Weights& weights);
  // [worker]
  std::unique_ptr<Activation> activate(uint32_t block, Stats& stats) { return programs_.at(block).program->activate(stats); }
  void return_borrowed();
  // What the weights of the bodies that a plan runs take, and the scratch memory of their kernels.
  void add_weight_use(const Plan& plan, const Weights& weights, WeightUse& use) const;
  uint64_t scratch_bytes(const Plan& plan) const;
  void add_trials(const Plan& plan, Tried wanted, std::vector<Trial>& trials) const;
  void use_measured();

 private:
  struct Entry {
    std::unique_ptr<Program> program;
    std::atomic<bool> prepared{false};  // written by ready and by binds
  };
  // Calls f(entry, plan) for every body that the plan runs.
  template <class Self, class F>
  static void each(Self& self, const Plan& plan, F f);

  std::shared_ptr<const Graph> graph_;
  std::map<uint32_t, Entry> programs_;  // by block; all there from the beginning: reports ask from other threads
};

}  // namespace dbk
