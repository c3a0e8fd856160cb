#include "plugin/placed_nodes.h"

#include "plugin/body_plans.h"
#include "plugin/graph/control.h"

namespace dbk {

namespace {

class Visit {
 public:
  Visit(Device& device, const std::function<void(const PlacedNode&)>& f) : device_(device), f_(f) {}

  void planned(const Graph& graph, const Plan& plan, bool outermost, bool open_body = false) {
    const auto& nodes = graph.main().nodes;
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      f_({nodes[n], plan.placement[n], &plan.types, outermost ? n : DBK_NONE, open_body});
      const auto plans = plan.bodies.find(n);
      const std::vector<uint32_t> blocks = bodies_of(nodes[n]);
      const bool open = plan.types.chosen_at_bind[n];
      for (size_t b = 0; b < blocks.size(); ++b) {
        const Graph& body = *graph.bodies[blocks[b]];
        if (plans == plan.bodies.end()) unplanned(body, place_inside(nodes[n], plan.placement[n], plan.types.late_nodes[n]));
        else if (plans->second[b]) planned(body, *plans->second[b], false, open_body || open);
        else if (open) unplanned(body, std::nullopt);
        else unplanned(body, Placement{Where::Skip, "its branch does not run"});
      }
    }
  }

 private:
  // The place of everything inside the bodies of a node that have no plans; nothing where each has its own.
  static std::optional<Placement> place_inside(const Node& outer, const Placement& place, bool late) {
    if (place.where == Where::Skip) return place;
    if (late) return Placement{Where::Host, "inside " + describe(outer)};
    return std::nullopt;
  }

  void unplanned(const Graph& body, const std::optional<Placement>& common) {
    for (const Node& node : body.main().nodes) {
      f_({node, common ? *common : place_node(device_, body, node, nullptr), nullptr, DBK_NONE, !common});
      for (uint32_t b : bodies_of(node)) unplanned(*body.bodies[b], common);
    }
  }

  Device& device_;
  const std::function<void(const PlacedNode&)>& f_;
};

}  // namespace

void each_placed(Device& device, const Graph& graph, const Plan& plan, const std::function<void(const PlacedNode&)>& f) {
  Visit(device, f).planned(graph, plan, true);
}

AbsorbedNodes::AbsorbedNodes(const Graph& graph) : graph_(graph) {
  add_alive(graph);
  for (const Node& node : graph.prologue) prepared_.emplace(node.table_index, &node);
  for (const Rewrite& rewrite : graph.rewrites)
    for (uint32_t caller : rewrite.absorbed) last_[caller] = &rewrite;
}

void AbsorbedNodes::add_alive(const Graph& graph) {
  for (const Node& node : graph.main().nodes) {
    alive_.emplace(node.table_index, &node);
    for (uint32_t b : bodies_of(node)) add_alive(*graph.bodies[b]);
  }
}

// The node that does the work of a caller's node now; DBK_NONE where none does. What prepares the weights of such a node has its index, too.
uint32_t AbsorbedNodes::end_of(uint32_t caller) const {
  uint32_t at = caller;
  for (size_t steps = 0; steps <= graph_.rewrites.size() && at != DBK_NONE; ++steps) {
    if (alive_.contains(at)) return at;
    const auto found = last_.find(at);
    if (found == last_.end()) return prepared_.contains(at) ? at : DBK_NONE;
    at = found->second->into;
  }
  return prepared_.contains(caller) ? caller : DBK_NONE;
}

std::optional<Absorbed> AbsorbedNodes::find(uint32_t caller) const {
  const auto taken = last_.find(caller);
  if (alive_.contains(caller) || (taken == last_.end() && !prepared_.contains(caller))) return std::nullopt;
  const uint32_t into = end_of(caller);
  if (const auto found = alive_.find(into); found != alive_.end())
    return Absorbed{"fused", taken->second->pass + ": part of " + describe(*found->second), into};
  if (prepared_.contains(into)) return Absorbed{"prepared", "computed from weights when they are given, not in runs"};
  return Absorbed{"folded", taken->second->pass};
}

}  // namespace dbk
