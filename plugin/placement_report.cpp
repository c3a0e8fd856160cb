#include "plugin/placement_report.h"

#include <algorithm>

#include "plugin/placed_nodes.h"

namespace dbk {

namespace {

const char* where_name(const Placement& p, bool cpu) {
  if (p.open) return "open";
  switch (p.where) {
    case Where::Device: return cpu ? "cpu" : "gpu";
    case Where::Host: return cpu ? "cpu" : "host";
    case Where::View: return "view";
    default: return "skipped";
  }
}

class PlacementReport {
 public:
  PlacementReport(Executable& exec, const Plan& plan) : exec_(exec), plan_(plan), graph_(exec.graph()) {}

  Json run(bool exact) {
    Rows rows;
    each_placed(exec_.device(), graph_, plan_, [&](const PlacedNode& placed) { rows.emplace_back(placed.node.table_index, row_of_node(placed)); });
    const AbsorbedNodes absorbed(graph_);
    for (uint32_t caller = 0; caller < graph_.callers.size(); ++caller)
      if (const auto fate = absorbed.find(caller)) rows.emplace_back(caller, row_of_caller(caller, *fate));
    std::ranges::stable_sort(rows, {}, &std::pair<uint32_t, Json>::first);
    Json list = Json::array(), summary = Json::object();
    for (const auto& [caller, row] : rows) list.push_back(row);
    for (const auto& [what, count] : summary_) summary.add(what, count);
    return {{"schema", "daybreak.placement/1"}, {"device", exec_.device().info().name}, {"device_choice", device_choice()}, {"exact", exact}, {"nodes", list},
            {"fusions", fusions()}, {"missed", misses()}, {"projections", projections()}, {"summary", summary}};
  }

 private:
  using Rows = std::vector<std::pair<uint32_t, Json>>;
  using Count = std::pair<std::string_view, uint32_t>;

  void count(std::string_view what) { ++std::ranges::find(summary_, what, &Count::first)->second; }

  // Inside bodies kernels are not known by their labels.
  std::string kernel_of(const PlacedNode& placed) const {
    const Where where = placed.placement.where;
    if ((where != Where::Device && where != Where::Host) || placed.placement.open) return "";
    return placed.step == DBK_NONE ? std::string(placed.node.op->id) : exec_.program()->kernel_of(plan_, placed.step);
  }

  static std::string reason_of(const PlacedNode& placed) {
    const std::string& reason = placed.placement.reason;
    if (!placed.in_open_body || placed.placement.open) return reason;
    return (reason.empty() ? "" : reason + "; ") + "binding tells whether its branch runs";
  }

  Json row_of_node(const PlacedNode& placed) {
    const Node& node = placed.node;
    const Placement& p = placed.placement;
    const bool cpu = exec_.device().is_cpu();
    const bool works = p.where == Where::Device || p.where == Where::Host;
    count(p.open ? "open" : !works ? "free" : p.where == Where::Device || cpu ? "device" : "host");
    Json row = {{"node", node.table_index}, {"name", node.name}, {"op", node.op_name}, {"where", where_name(p, cpu)},
                {"kernel", kernel_of(placed)}, {"reason", reason_of(placed)}};
    if (works && !p.open && placed.step != DBK_NONE) row.add("step", placed.step);
    if (p.where == Where::Device && !p.open && placed.step != DBK_NONE)
      if (const auto choice = exec_.program()->choice_of(plan_, placed.step)) row.add("choice", *choice);
    if (node.table_index < graph_.callers.size() && node.op_name != graph_.callers[node.table_index].op_name)
      row.add("given_op", graph_.callers[node.table_index].op_name);
    return row;
  }

  Json row_of_caller(uint32_t caller, const Absorbed& fate) {
    const CallerNode& given = graph_.callers[caller];
    Json row = {{"node", caller}, {"name", given.name}, {"op", given.op_name}, {"where", fate.where}, {"kernel", ""}, {"reason", fate.reason}};
    if (fate.into != DBK_NONE) row.add("into", fate.into);
    count(fate.where);
    return row;
  }

  Json device_choice() const {
    const DeviceChoice& choice = exec_.device_choice();
    Json estimates = Json::array();
    for (uint32_t i = 0; i < choice.estimates.size(); ++i) {
      const RunEstimate& estimate = choice.estimates[i];
      if (estimate.asked())
        estimates.push_back({{"index", i}, {"name", exec_.context().device(i).info().name},
                             {"microseconds", estimate.microseconds ? Json(*estimate.microseconds) : Json(nullptr)}, {"reason", estimate.why_not}});
    }
    return {{"reason", choice.reason}, {"estimates", estimates}};
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

  Json projections() const {
    Json list = Json::array();
    for (const ProjectionChoice& c : graph_.projections) {
      Json row = {{"nodes", c.nodes}, {"rows", c.layer.rows}, {"k", c.layer.k}, {"widths", c.layer.widths}, {"form", to_string(c.advice.form)}, {"reason", c.advice.reason}};
      Json times = Json::object();
      for (const auto& [form, microseconds] : c.advice.microseconds) times.add(to_string(form), microseconds);
      if (!c.advice.microseconds.empty()) row.add("measured_us", times);
      list.push_back(row);
    }
    return list;
  }

  Executable& exec_;
  const Plan& plan_;
  const Graph& graph_;
  std::array<Count, 7> summary_{{{"device", 0}, {"host", 0}, {"open", 0}, {"free", 0}, {"fused", 0}, {"prepared", 0}, {"folded", 0}}};
};

}  // namespace

Json placement_report(Executable& exec, const Plan& plan, bool exact) { return PlacementReport(exec, plan).run(exact); }

}  // namespace dbk
