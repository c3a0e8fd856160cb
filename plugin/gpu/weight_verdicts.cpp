#include "plugin/gpu/weight_verdicts.h"

#include <algorithm>

#include "plugin/gpu/node_operands.h"

namespace dbk::gpu {

namespace {

// What a node would round as long as nobody forbids it.
std::optional<Rounding> rounding_of(const Graph& graph, const Node& node, const Types& types, const Capabilities& caps) {
  const Family& family = *find_family(node.op->family);
  if (!family.rounding || !all_typed(node, types)) return std::nullopt;
  return family.rounding(NodeOperands(graph, node, types, nullptr).view(), caps);
}

}  // namespace

std::vector<ValueId> weights_to_judge(const Graph& graph, const Plan& plan, const Capabilities& caps) {
  std::vector<ValueId> list;
  for (const uint32_t index : device_nodes(plan)) {
    const Node& node = graph.main().nodes[index];
    const std::optional<Rounding> rounding = rounding_of(graph, node, plan.types, caps);
    if (rounding && std::ranges::find(list, node.inputs[rounding->input]) == list.end()) list.push_back(node.inputs[rounding->input]);
  }
  return list;
}

WeightVerdicts::WeightVerdicts(const Graph& graph, const Plan& plan, const Capabilities& caps, const dbk::Weights& weights,
                               const WeightVerdicts& before, Stats& stats) {
  const auto current = [&](const Judged& j) { return weights[j.value].revision == j.revision; };
  for (const auto& [node, judged] : before.judged_)
    if (current(*judged)) judged_.emplace(node, judged);
  for (const uint32_t index : device_nodes(plan)) {
    const Node& node = graph.main().nodes[index];
    if (judged_.contains(index)) continue;
    const std::optional<Rounding> rounding = rounding_of(graph, node, plan.types, caps);
    if (!rounding) continue;
    const ValueId value = node.inputs[rounding->input];
    const Weight& weight = weights[value];
    if (!weight.data) continue;
    Shared& judged = judged_[index];
    judged = find(value, weight.revision, *rounding);
    if (judged) continue;
    const Stopwatch watch;
    judged = std::make_shared<Judged>(value, weight.revision, *rounding, judge(*rounding, weight.data, caps.controls));
    stats.add(&Stats::weights_judged, 1);
    stats.add(&Stats::judging_nanoseconds, watch.nanoseconds());
  }
}

WeightVerdicts::Shared WeightVerdicts::find(ValueId value, uint64_t revision, const Rounding& rounding) const {
  for (const auto& [node, judged] : judged_)
    if (judged && judged->value == value && judged->revision == revision && judged->rounding == rounding) return judged;
  return nullptr;
}

const PrecisionVerdict* WeightVerdicts::of(uint32_t node) const {
  const auto found = judged_.find(node);
  return found == judged_.end() ? nullptr : &found->second->verdict;
}

}  // namespace dbk::gpu
