#include "plugin/check_report.h"

#include <algorithm>
#include <ranges>

#include "plugin/body_plans.h"
#include "plugin/device_choice.h"
#include "plugin/executable.h"
#include "plugin/given_graph.h"
#include "plugin/graph/control.h"
#include "plugin/memory_limit.h"
#include "plugin/pass_options.h"
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

// The legal extent of a symbol that is nearest to one that is wished for.
int64_t nearest(const Symbol& symbol, int64_t wish) {
  const int64_t most = symbol.bounded() ? symbol.max : std::numeric_limits<int32_t>::max();
  const int64_t wanted = std::min(std::max({wish, symbol.min, int64_t{1}}), most);
  const int64_t up = (wanted + symbol.multiple_of - 1) / symbol.multiple_of * symbol.multiple_of;
  return up > most ? most / symbol.multiple_of * symbol.multiple_of : up;
}

// Extents that meet what kernels refuse for other reasons than size, if any do: different ones, so that no axes merge, and for each symbol
// one with a large factor. None where all are fixed. Extents that are too large for a device are there for every graph: nobody asks for those.
std::vector<std::vector<int64_t>> samples_of_extents(const Graph& graph) {
  constexpr size_t kMost = 8;
  constexpr int64_t kPrime = 1031;
  std::vector<int64_t> different;
  std::vector<size_t> open;
  for (size_t s = 0; s < graph.symbols.size(); ++s) {
    different.push_back(nearest(graph.symbols[s], 2 + static_cast<int64_t>(s % 7)));
    if (!graph.symbols[s].fixed()) open.push_back(s);
  }
  std::vector<std::vector<int64_t>> samples;
  if (!open.empty()) samples.push_back(different);
  for (size_t s : open | std::views::take(kMost)) {
    samples.push_back(different);
    samples.back()[s] = nearest(graph.symbols[s], kPrime);
  }
  return samples;
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
    if (whole) compile_passes(graph_, types, pass_options(device_, options_));
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
    if (std::string why = refuse_memory(device_, graph_, plan); !why.empty()) reasons_.push_back(std::move(why));
    std::vector<std::vector<int64_t>> samples = samples_of_extents(graph_);
    if (!samples.empty()) try_other_extents(representative_extents(graph_), true);
    for (std::vector<int64_t>& extents : samples) try_other_extents(std::move(extents), false);
    return plan;
  }

  // What is refused with other extents is not decided by those that stand for all.
  void try_other_extents(std::vector<int64_t> extents, bool other_branches) {
    std::vector<Cause> refused;
    try {
      InferOptions options{std::move(extents), {}, {}};
      options.other_branches = other_branches;
      Types types = infer(graph_, options);
      std::vector<Placement> placement = place_nodes(device_, graph_, types);
      place_late_nodes(graph_, types, placement);
      plan_graph(device_, graph_, types, std::move(placement), require_gpu_, refused);
    } catch (const Error&) {  // extents that do not fit each other
    }
    for (const Cause& cause : refused)
      if (std::ranges::find(reasons_, cause.message) == reasons_.end()) add_undecided("with some extents: " + cause.message);
  }

  void add_undecided(std::string reason) {
    if (std::ranges::find(undecided_, reason) == undecided_.end()) undecided_.push_back(std::move(reason));
  }

  void add(const PlacedNode& placed) {
    const Placement& p = placed.placement;
    const bool host_perhaps = placed.in_open_body && p.where == Where::Host && control_of(placed.node) == Control::None;
    Verdict verdict = verdict_of(placed, device_.is_cpu());
    if (require_gpu_ && !device_.is_cpu() && placed.node.op && (p.open || host_perhaps))
      add_undecided(std::format("policy require_gpu: {}: {}", describe(placed.node), p.reason));
    else if (placed.in_open_body && verdict.kind == Verdict::No)
      add_undecided(std::format("{}: {}", describe(placed.node), verdict.reason));
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
    const bool exact = plan.types.complete && std::ranges::all_of(graph_.symbols, &Symbol::fixed) && std::ranges::none_of(plan.types.late, std::identity());
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
  DeviceChoice choice = context.choose_device(device, options, progress);
  progress(DBK_STAGE_CHECK, 0, 1);
  Graph graph = given_graph(tables, options);
  std::optional<Types> inferred;
  choice = choose_for_graph(context, graph, options, std::move(choice), inferred);
  return Check(context, choice.device, std::move(graph), options).run(progress).text();
}

}  // namespace dbk
