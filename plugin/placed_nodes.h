// What became of every node of the caller, for reports: the places of those that are left, bodies included, and the fate of the others.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "plugin/device.h"

namespace dbk {

struct PlacedNode {
  const Node& node;
  const Placement& placement;
  const Types* types;  // null where they are not known
  uint32_t step;      // its index in the main block of the whole graph; DBK_NONE inside bodies
  bool in_open_body;  // bind tells whether and with what types its body runs
};

// Every node of the graph, those of bodies behind the node they belong to. Where the plan has none for a body, the nodes inside have the
// place that is known without: the host's where the run makes their types, else open.
void each_placed(Device& device, const Graph& graph, const Plan& plan, const std::function<void(const PlacedNode&)>& f);

// A caller's node that is none any more.
struct Absorbed {
  const char* where;         // "prepared", "fused" or "folded"
  std::string reason;
  uint32_t into = DBK_NONE;  // fused: the node that does its work
};

class AbsorbedNodes {
 public:
  explicit AbsorbedNodes(const Graph& graph);
  // Of a caller's node by its table index; nothing where it is still there.
  std::optional<Absorbed> find(uint32_t caller) const;

 private:
  void add_alive(const Graph& graph);
  uint32_t end_of(uint32_t caller) const;

  const Graph& graph_;
  std::map<uint32_t, const Node*> alive_, prepared_;  // by table index
  std::map<uint32_t, const Rewrite*> last_;           // by table index: what took the node away
};

}  // namespace dbk
