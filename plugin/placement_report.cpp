#include "plugin/placement_report.h"

#include <algorithm>
#include <map>

#include "plugin/graph/control.h"

namespace dbk {

namespace {

const char* where_name(const Placement& p, bool cpu) {
  switch (p.where) {
    case Where::Device: return cpu ? "cpu" : "gpu";
    case Where::Host: return cpu ? "cpu" : "host";
    case Where::View: return "view";
    default: return "skipped";
  }
}

class PlacementReport {
 public:
  PlacementReport(Executable& exec, const Plan& plan) : exec_(exec), plan_(plan), graph_(exec.graph()), nodes_(graph_.main().nodes) {
    add_alive(graph_);
    for (const Node& node : graph_.prologue) prepared_.emplace(node.table_index, &node);
    for (const Rewrite& rewrite : graph_.rewrites)
      for (uint32_t caller : rewrite.absorbed) last_[caller] = &rewrite;
  }

  Json run(bool exact) {
    Rows rows;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      rows.emplace_back(nodes_[i].table_index, row_of_node(i));
      add_bodies(graph_, &plan_, i, rows);
    }
    for (uint32_t caller = 0; caller < graph_.callers.size(); ++caller)
      if (!alive_.contains(caller) && (prepared_.contains(caller) || last_.contains(caller))) rows.emplace_back(caller, row_of_caller(caller));
    std::ranges::stable_sort(rows, {}, &std::pair<uint32_t, Json>::first);
    Json list = Json::array(), summary = Json::object();
    for (const auto& [caller, row] : rows) list.push_back(row);
    for (const auto& [what, count] : summary_) summary.add(what, count);
    return {{"schema", "daybreak.placement/1"}, {"device", exec_.device().info().name}, {"exact", exact}, {"nodes", list},
            {"fusions", fusions()}, {"missed", misses()}, {"summary", summary}};
  }

 private:
  using Rows = std::vector<std::pair<uint32_t, Json>>;
  using Count = std::pair<std::string_view, uint32_t>;

  void add_alive(const Graph& graph) {
    for (const Node& node : graph.main().nodes) {
      alive_.emplace(node.table_index, &node);
      for (uint32_t b : bodies_of(node)) add_alive(*graph.bodies[b]);
    }
  }

  // Nodes inside the bodies of node `n`. `plan` is null where they are not planned but run on the host, one by one.
  void add_bodies(const Graph& graph, const Plan* plan, uint32_t n, Rows& rows) {
    const Node& outer = graph.main().nodes[n];
    const std::vector<uint32_t> blocks = bodies_of(outer);
    const bool planned = plan && plan->bodies.contains(n);
    for (size_t b = 0; b < blocks.size(); ++b) {
      const Graph& body = *graph.bodies[blocks[b]];
      const Plan* inner = planned ? plan->bodies.at(n)[b].get() : nullptr;
      const Placement otherwise = planned ? Placement{Where::Skip, "its branch does not run"} : Placement{Where::Host, "inside " + describe(outer)};
      for (uint32_t i = 0; i < body.main().nodes.size(); ++i) {
        const Node& node = body.main().nodes[i];
        rows.emplace_back(node.table_index, row(node, inner ? inner->placement[i] : otherwise, std::string(node.op->id)));
        add_bodies(body, inner, i, rows);
      }
    }
  }

  void count(std::string_view what) { ++std::ranges::find(summary_, what, &Count::first)->second; }

  Json row_of_node(uint32_t i) {
    const Placement& p = plan_.placement[i];
    const bool works = p.where == Where::Device || p.where == Where::Host;
    return row(nodes_[i], p, works ? exec_.program().kernel_of(plan_, i) : "");
  }

  Json row(const Node& node, const Placement& p, std::string kernel) {
    const bool cpu = exec_.device().is_cpu();
    const bool works = p.where == Where::Device || p.where == Where::Host;
    count(!works ? "free" : p.where == Where::Device || cpu ? "device" : "host");
    Json row = {{"node", node.table_index}, {"name", node.name}, {"op", node.op_name}, {"where", where_name(p, cpu)},
                {"kernel", works ? std::move(kernel) : ""}, {"reason", p.reason}};
    if (node.table_index < graph_.callers.size() && node.op_name != graph_.callers[node.table_index].op_name)
      row.add("given_op", graph_.callers[node.table_index].op_name);
    return row;
  }

  // What became of a node that is none any more.
  Json row_of_caller(uint32_t caller) {
    const uint32_t into = end_of(caller);
    const auto found = alive_.find(into);
    const bool fused = !prepared_.contains(into) && found != alive_.end();
    const char* where = prepared_.contains(into) ? "prepared" : fused ? "fused" : "folded";
    const std::string reason = prepared_.contains(into) ? "computed from weights when they are given, not in runs"
                               : fused                  ? last_.at(caller)->pass + ": part of " + describe(*found->second)
                                                        : last_.at(caller)->pass;
    const CallerNode& given = graph_.callers[caller];
    Json row = {{"node", caller}, {"name", given.name}, {"op", given.op_name}, {"where", where}, {"kernel", ""}, {"reason", reason}};
    if (fused) row.add("into", into);
    count(where);
    return row;
  }

  // The node that does the work of a caller's node now; DBK_NONE where none does.
  uint32_t end_of(uint32_t caller) const {
    for (size_t steps = 0; steps <= graph_.rewrites.size() && caller != DBK_NONE; ++steps) {
      if (alive_.contains(caller) || prepared_.contains(caller)) return caller;
      const auto found = last_.find(caller);
      caller = found == last_.end() ? DBK_NONE : found->second->into;
    }
    return DBK_NONE;
  }

  Json fusions() const {
    Json list = Json::array();
    for (const Rewrite& r : graph_.rewrites)
      if (r.into != DBK_NONE) list.push_back({{"pass", r.pass}, {"node", r.into}, {"op", r.op}, {"absorbed", r.absorbed}});
    return list;
  }

  Json misses() const {
    Json list = Json::array();
    for (const NearMiss& m : graph_.misses) list.push_back({{"pass", m.pass}, {"node", m.node}, {"reason", m.reason}});
    return list;
  }

  Executable& exec_;
  const Plan& plan_;
  const Graph& graph_;
  const std::vector<Node>& nodes_;
  std::map<uint32_t, const Node*> alive_, prepared_;  // by table index
  std::map<uint32_t, const Rewrite*> last_;           // by table index: what took the node away
  std::array<Count, 6> summary_{{{"device", 0}, {"host", 0}, {"free", 0}, {"fused", 0}, {"prepared", 0}, {"folded", 0}}};
};

}  // namespace

Json placement_report(Executable& exec, const Plan& plan, bool exact) { return PlacementReport(exec, plan).run(exact); }

}  // namespace dbk
