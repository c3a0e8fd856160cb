#include "plugin/body_plans.h"

#include "plugin/graph/control.h"
#include "plugin/support.h"

namespace dbk {

Placement place_node(Device& device, const Graph& graph, const Node& node, const Types* types) {
  if (!node.op) return {Where::Host, "this build has no such op"};
  if (node.op->family == "view") return {Where::View, "shares its input's memory"};
  if (control_of(node) != Control::None) return {Where::Host, "the host drives its bodies"};
  if (std::string why = device.refuse_op(node); !why.empty()) return {Where::Host, std::move(why)};
  if (device.is_cpu()) return {Where::Device, ""};
  if (!types || !all_typed(node, *types)) return {Where::Host, "its shape is known only at bind", !types || types->undecided(node)};
  std::string why = device.refuse(graph, node, *types);
  const Where where = why.empty() ? Where::Device : Where::Host;
  return {where, std::move(why)};
}

std::vector<Placement> place_nodes(Device& device, const Graph& graph, const Types& types) {
  const std::vector<bool> needed = needed_nodes(graph, types);
  std::vector<Placement> placement;
  for (size_t i = 0; i < needed.size(); ++i)
    placement.push_back(needed[i] ? place_node(device, graph, graph.main().nodes[i], &types)
                                  : Placement{Where::Skip, "its result is only used for shapes, or not at all"});
  return placement;
}

namespace {

void refuse_nodes(Device& device, const Graph& graph, const Types& types, const std::vector<Placement>& placement, bool require_gpu,
                  std::vector<Cause>& refused) {
  const auto& nodes = graph.main().nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    const Placement& p = placement[i];
    const bool driven = control_of(node) != Control::None && !types.late_nodes[i];  // its bodies are asked themselves
    const bool on_host = p.where == Where::Host || (p.where == Where::Device && device.is_cpu());
    if (std::string why = on_host ? missing_host_code(node, types) : ""; !why.empty())
      refused.push_back({DBK_UNIMPLEMENTED, describe(node) + ": " + why, node.table_index});
    else if (p.where == Where::Host && require_gpu && !driven && !p.open)
      refused.push_back({DBK_UNIMPLEMENTED, std::format("policy require_gpu: {}: {}", describe(node), p.reason), node.table_index});
  }
}

void plan_bodies(Device& device, const Graph& graph, Plan& plan, bool require_gpu, std::vector<Cause>& refused) {
  for (uint32_t n : plan.order) {
    const Node& node = graph.main().nodes[n];
    if (control_of(node) == Control::None || plan.types.late_nodes[n]) continue;
    const auto found = plan.types.bodies.find(n);
    if (found == plan.types.bodies.end()) continue;  // binding tells
    const std::vector<uint32_t> blocks = bodies_of(node);
    for (size_t b = 0; b < blocks.size(); ++b) {
      const size_t before = refused.size();
      std::shared_ptr<const Plan>& planned = plan.bodies[n].emplace_back();
      if (const auto& types = found->second[b]) {
        const Graph& body = *graph.bodies[blocks[b]];
        std::vector<Placement> placement = place_nodes(device, body, *types);
        place_late_nodes(body, *types, placement);
        planned = std::make_shared<Plan>(plan_graph(device, body, *types, std::move(placement), require_gpu, refused));
      }
      if (plan.types.chosen_at_bind[n]) refused.resize(before);
      for (size_t c = before; c < refused.size(); ++c) refused[c].message = describe(node) + ": " + refused[c].message;
    }
  }
}

}  // namespace

Plan plan_graph(Device& device, const Graph& graph, const Types& types, std::vector<Placement> placement, bool require_gpu,
                std::vector<Cause>& refused, const Plan* frame) {
  refuse_nodes(device, graph, types, placement, require_gpu, refused);
  Plan plan = make_plan(graph, types, std::move(placement), device.plan_rules(), frame);
  plan_bodies(device, graph, plan, require_gpu, refused);
  return plan;
}

}  // namespace dbk
