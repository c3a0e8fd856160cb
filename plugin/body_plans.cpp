#include "plugin/body_plans.h"

#include "plugin/graph/control.h"
#include "plugin/support.h"

namespace dbk {

Placement place_node(Device& device, const Graph& graph, const Node& node, const Types& types) {
  if (node.op->family == "view") return {Where::View, "shares its input's memory"};
  if (control_of(node) != Control::None) return {Where::Host, "the host drives its bodies"};
  std::string why = device.refuse(graph, node, types);
  const Where where = why.empty() ? Where::Device : Where::Host;
  return {where, std::move(why)};
}

void check_host_nodes(Device& device, const Graph& graph, const Types& types, const std::vector<Placement>& placement, bool require_gpu,
                      std::vector<Cause>& refused) {
  const auto& nodes = graph.main().nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    const Placement& p = placement[i];
    const bool driven = control_of(node) != Control::None && !types.late_nodes[i];  // its bodies are asked themselves
    const bool on_host = p.where == Where::Host || (p.where == Where::Device && device.is_cpu());
    if (std::string why = on_host ? missing_host_code(node, types) : ""; !why.empty())
      refused.push_back({DBK_UNIMPLEMENTED, describe(node) + ": " + why, node.table_index});
    else if (p.where == Where::Host && require_gpu && !driven && !types.undecided(node))
      refused.push_back({DBK_UNIMPLEMENTED, std::format("policy require_gpu: {}: {}", describe(node), p.reason), node.table_index});
  }
}

namespace {

std::shared_ptr<const Plan> plan_body(Device& device, const Graph& body, const Types& types, bool require_gpu, std::vector<Cause>& refused) {
  const std::vector<bool> needed = needed_nodes(body, types);
  std::vector<Placement> placement;
  for (size_t i = 0; i < needed.size(); ++i)
    placement.push_back(needed[i] ? place_node(device, body, body.main().nodes[i], types)
                                  : Placement{Where::Skip, "its result is only used for shapes, or not at all"});
  place_late_nodes(body, types, placement);
  check_host_nodes(device, body, types, placement, require_gpu, refused);
  auto plan = std::make_shared<Plan>(make_plan(body, types, std::move(placement), device.plan_rules()));
  plan_bodies(device, body, *plan, require_gpu, refused);
  return plan;
}

}  // namespace

void plan_bodies(Device& device, const Graph& graph, Plan& plan, bool require_gpu, std::vector<Cause>& refused) {
  for (uint32_t n : plan.order) {
    const Node& node = graph.main().nodes[n];
    if (control_of(node) == Control::None || plan.types.late_nodes[n]) continue;
    const auto found = plan.types.bodies.find(n);
    if (found == plan.types.bodies.end()) continue;  // binding tells
    const std::vector<uint32_t> blocks = bodies_of(node);
    const auto& types = found->second;
    std::vector<std::shared_ptr<const Plan>>& plans = plan.bodies[n];
    for (size_t b = 0; b < blocks.size(); ++b) {
      const size_t before = refused.size();
      plans.push_back(types[b] ? plan_body(device, *graph.bodies[blocks[b]], *types[b], require_gpu, refused) : nullptr);
      for (size_t c = before; c < refused.size(); ++c) refused[c].message = describe(node) + ": " + refused[c].message;
    }
  }
}

}  // namespace dbk
