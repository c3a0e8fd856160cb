// A node with bodies whose shapes a plan knows: the host drives, the bodies run as plans of their own on the device of the graph. Values
// pass through host memory.
#pragma once

#include "plugin/body_programs.h"
#include "plugin/cpu/control_driver.h"

namespace dbk {

// A body within a run: its activation, and memory for its results, twice, since those of one iteration are read in the next.
class PlannedBody {
 public:
  PlannedBody(std::unique_ptr<Activation> activation, Stats& stats) : activation_(std::move(activation)), stats_(stats) {}

  void set_plan(const Graph& graph, std::shared_ptr<const Plan> plan);  // [worker]
  // [worker] Inputs from number `changed` on are what they were in the call before. Results are valid until the call after the next.
  std::span<const LateValue> run(std::span<const LateValue> inputs, size_t changed, const std::atomic<bool>* cancelled, uint64_t late_room);

 private:
  std::unique_ptr<Activation> activation_;
  Stats& stats_;
  std::shared_ptr<const Plan> plan_;
  std::vector<IoBinding> inputs_, outputs_;
  std::vector<LateValue> results_[2];
  int turn_ = 0;
};

class PlannedControl {
 public:
  PlannedControl(BodyPrograms& programs, const Graph& graph, const Node& node, Stats& stats);

  void set_plans(std::span<const std::shared_ptr<const Plan>> plans);  // [worker] one per body, null where it does not run
  // `late_room`: bytes that late values within a body may take.
  void execute(std::span<const Tensor> inputs, std::span<const Tensor> outputs, const std::atomic<bool>* cancelled, uint64_t late_room);

 private:
  std::span<const LateValue> run_body(size_t body, std::span<const LateValue> inputs);

  BodyPrograms& programs_;
  const Graph& graph_;
  const Node& node_;
  Stats& stats_;
  std::vector<std::unique_ptr<PlannedBody>> bodies_;
  ControlDriver driver_;
  std::vector<bool> wanted_, started_;  // by output; by body: within this run
  std::vector<LateValue> results_;
  const std::atomic<bool>* cancelled_ = nullptr;
  uint64_t late_room_ = UINT64_MAX;
};

}  // namespace dbk
