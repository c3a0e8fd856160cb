#include "plugin/cpu/planned_control.h"

#include "plugin/graph/control.h"

namespace dbk {

void PlannedBody::set_plan(const Graph& graph, std::shared_ptr<const Plan> plan) {
  plan_ = std::move(plan);
  inputs_.assign(graph.main().inputs.size(), {});
  outputs_.assign(graph.main().outputs.size(), {});
  for (std::vector<LateValue>& set : results_) {
    set.clear();
    for (ValueId v : graph.main().outputs) set.push_back(make_late_value(plan_->types[v]));
  }
  activation_->set_plan(plan_, inputs_, outputs_);
}

std::span<const LateValue> PlannedBody::run(std::span<const LateValue> inputs, size_t changed, const std::atomic<bool>* cancelled,
                                            uint64_t late_room) {
  std::vector<LateValue>& results = results_[turn_ ^= 1];
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs_[i].host = static_cast<std::byte*>(inputs[i].tensor.data);
    inputs_[i].changed = inputs_[i].changed || i < changed;
  }
  for (size_t i = 0; i < results.size(); ++i) outputs_[i].host = static_cast<std::byte*>(results[i].tensor.data);
  activation_->execute({inputs_, outputs_, DBK_RUN_NO_READBACK, cancelled, &stats_, late_room});
  return results;
}

PlannedControl::PlannedControl(BodyPrograms& programs, const Graph& graph, const Node& node, Stats& stats)
    : programs_(programs), graph_(graph), node_(node), stats_(stats), bodies_(bodies_of(node).size()),
      driver_(graph, node, [this](size_t body, std::span<const LateValue> inputs) { return run_body(body, inputs); }) {
  for (ValueId v : node.outputs) wanted_.push_back(v != DBK_NONE);
}

void PlannedControl::set_plans(std::span<const std::shared_ptr<const Plan>> plans) {
  const std::vector<uint32_t> blocks = bodies_of(node_);
  for (size_t b = 0; b < plans.size(); ++b) {
    if (!plans[b]) continue;
    if (!bodies_[b]) bodies_[b] = std::make_unique<PlannedBody>(programs_.activate(blocks[b], stats_), stats_);
    bodies_[b]->set_plan(*graph_.bodies[blocks[b]], plans[b]);
  }
}

void PlannedControl::execute(std::span<const Tensor> inputs, std::span<const Tensor> outputs, const std::atomic<bool>* cancelled,
                             uint64_t late_room) {
  results_.clear();
  for (const Tensor& out : outputs) results_.push_back({out, nullptr});
  started_.assign(bodies_.size(), false);
  cancelled_ = cancelled;
  late_room_ = late_room;
  driver_.run(inputs, wanted_, results_);
}

// Captured values do not change between the iterations of one run.
std::span<const LateValue> PlannedControl::run_body(size_t body, std::span<const LateValue> inputs) {
  if (cancelled_ && *cancelled_) fail(DBK_CANCELLED, "the run was cancelled");
  const size_t changed = started_[body] ? inputs.size() - node_.captures : inputs.size();
  started_[body] = true;
  return bodies_[body]->run(inputs, changed, cancelled_, late_room_);
}

}  // namespace dbk
