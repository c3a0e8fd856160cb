#include "plugin/check_report.h"

#include <algorithm>

#include "plugin/body_plans.h"
#include "plugin/executable.h"
#include "plugin/given_graph.h"
#include "plugin/graph/control.h"
#include "plugin/graph/passes/compile_passes.h"
#include "plugin/placed_nodes.h"
#include "plugin/support.h"

namespace dbk {

namespace {

struct Verdict {
  enum Kind { Free, Device, Open, Host, No } kind;  // from good to bad
  std::string reason;
  const char* word() const { return std::array{"view", "device", "open", "host", "no"}[kind]; }
};

Verdict verdict_of(const PlacedNode& placed, bool cpu) {
  const Placement& p = placed.placement;
  if (!placed.node.op) return {Verdict::No, p.reason};
  if (p.open) return {Verdict::Open, p.reason};
  if (p.where == Where::View || p.where == Where::Skip) return {Verdict::Free, p.reason};
  const bool by_host_code = cpu || p.where == Where::Host;
  if (std::string why = by_host_code && placed.types ? missing_host_code(placed.node, *placed.types) : ""; !why.empty())
    return {Verdict::No, std::move(why)};
  return {by_host_code && !cpu ? Verdict::Host : Verdict::Device, p.reason};
}

class Check {
 public:
  Check(Context& context, uint32_t device, Graph graph, const Options& options)
      : context_(context), device_index_(device), device_(context.device(device)), graph_(std::move(graph)), options_(options),
        require_gpu_(options.text("policy") == "require_gpu") {}

  Json run(const Progress& progress) {
    std::optional<Graph> given;  // where compile can tell more than the plan
    if (options_.integer("memory_budget")) given = graph_;
    const Plan plan = plan_of_graph();
    each_placed(device_, graph_, plan, [&](const PlacedNode& placed) { add(placed); });
    add_absorbed();
    progress(DBK_STAGE_CHECK, 1, 1);
    if (given) check_budget(plan, std::move(*given), progress);
    return report();
  }

 private:
  // As compile makes it; without the passes, and of the main block alone, where an op is missing.
  Plan plan_of_graph() {
    graph_.precision = precision_of(options_.text("precision"));
    Types types = infer(graph_, {representative_extents(graph_), {}, {}});
    for (const Cause& cause : unsupported(graph_)) reasons_.push_back(cause.message);
    const bool whole = reasons_.empty();
    if (whole) compile_passes(graph_, types, {options_.text("fusion") == "on", !device_.is_cpu()});
    if (require_gpu_ && device_.is_cpu()) reasons_.push_back("policy require_gpu, but the chosen device is the CPU");
    if (std::string why = device_.refuse_options(); !why.empty()) reasons_.push_back(std::move(why));
    std::vector<Placement> placement = place_nodes(device_, graph_, types);
    place_late_nodes(graph_, types, placement);
    if (!whole) {
      Plan plan;
      plan.types = std::move(types), plan.placement = std::move(placement);
      return plan;
    }
    std::vector<Cause> refused;
    Plan plan = plan_graph(device_, graph_, types, std::move(placement), require_gpu_, refused);
    for (const Cause& cause : refused) reasons_.push_back(cause.message);
    return plan;
  }

  void add(const PlacedNode& placed) {
    const Placement& p = placed.placement;
    const bool host_perhaps = placed.in_open_body && p.where == Where::Host && control_of(placed.node) == Control::None;
    if (require_gpu_ && !device_.is_cpu() && placed.node.op && (p.open || host_perhaps))
      undecided_.push_back(std::format("policy require_gpu: {}: {}", describe(placed.node), p.reason));
    Verdict verdict = verdict_of(placed, device_.is_cpu());
    const auto [row, added] = verdicts_.try_emplace(placed.node.table_index, verdict);
    if (!added && row->second.kind < verdict.kind) row->second = std::move(verdict);  // several nodes may do the work of one
  }

  void add_absorbed() {
    const AbsorbedNodes absorbed(graph_);
    for (uint32_t caller = 0; caller < graph_.callers.size(); ++caller) {
      const auto fate = absorbed.find(caller);
      if (!fate) continue;
      const auto into = verdicts_.find(fate->into);
      verdicts_.try_emplace(caller, into == verdicts_.end() ? Verdict::Free : into->second.kind, fate->reason);
    }
  }

  void check_budget(const Plan& plan, Graph given, const Progress& progress) {
    // Scratch memory of kernels does not grow with every extent: the largest ones need not need most.
    const auto fixed = [](const Symbol& symbol) { return symbol.min == symbol.max; };
    const bool exact = plan.types.complete && std::ranges::all_of(graph_.symbols, fixed) && std::ranges::none_of(plan.types.late, std::identity());
    if (!exact) undecided_.push_back("memory_budget: what a run takes is known only with its extents");
    if (!reasons_.empty()) return;
    try {
      std::make_shared<Executable>(context_.shared_from_this(), device_index_, std::move(given), options_, DBK_COMPILE_PLAN_ONLY, progress);
    } catch (Error& e) {
      if (e.causes().front().code != DBK_OUT_OF_MEMORY) throw;
      reasons_.push_back(e.causes().front().message);
    }
  }

  Json report() const {
    Json nodes = Json::array();
    for (const auto& [index, verdict] : verdicts_) {
      const CallerNode& node = graph_.callers[index];
      nodes.push_back({{"node", index}, {"name", node.name}, {"domain", node.domain}, {"op", node.op_name}, {"version", node.opset},
                       {"verdict", verdict.word()}, {"reason", verdict.reason}});
    }
    const bool on_device = std::ranges::all_of(verdicts_, [](const auto& row) { return row.second.kind <= Verdict::Device; });
    return {{"schema", "daybreak.check/1"}, {"device", device_.info().name}, {"runs", reasons_.empty()}, {"reasons", reasons_},
            {"undecided", undecided_}, {"all_on_device", on_device}, {"nodes", nodes}};
  }

  Context& context_;
  uint32_t device_index_;
  dbk::Device& device_;
  Graph graph_;
  const Options& options_;
  bool require_gpu_;
  std::map<uint32_t, Verdict> verdicts_;          // by table index
  std::vector<std::string> reasons_, undecided_;  // why compile refuses; why a bind may
};

}  // namespace

std::string check_report(Context& context, uint32_t device, const dbk_graph& tables, const Options& options, const Progress& progress) {
  const uint32_t chosen = context.choose_device(device, options, progress);
  progress(DBK_STAGE_CHECK, 0, 1);
  return Check(context, chosen, given_graph(tables, options), options).run(progress).text();
}

}  // namespace dbk
