#include "plugin/report.h"

#include "host_fallback/widening.h"
#include "plugin/graph/composites.h"
#include "plugin/graph/control.h"
#include "plugin/graph/host_ops.h"
#include "plugin/graph/normalize.h"
#include "plugin/graph/passes/compile_passes.h"
#include "plugin/graph/schema.h"
#include "plugin/graph/tables.h"
#include "plugin/packing_report.h"
#include "plugin/placement_report.h"
#include "plugin/support.h"

namespace dbk {

namespace {

[[noreturn]] void unknown_kind(const std::string& kind, const char* known) {
  fail(DBK_NOT_FOUND, "no report '{}' here; there are: {}", kind, known);
}

const char* kind_name(uint32_t kind) {
  constexpr const char* kNames[] = {"unknown", "cpu", "discrete_gpu", "integrated_gpu", "software_gpu", "other"};
  return kind < std::size(kNames) ? kNames[kind] : "other";
}

Json feature_names(uint64_t features) {
  constexpr const char* kNames[] = {"f16", "subgroups", "subgroup_matrix", "timestamps", "map_in_place", "host_pointer", "borrow"};
  Json names = Json::array();
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (features >> i & 1) names.push_back(kNames[i]);
  return names;
}

Json device_json(uint32_t index, const DeviceInfo& d) {
  Json limits = d.limits;
  limits.add("max_buffer", d.max_buffer);
  limits.add("max_binding", d.max_binding);
  return {{"index", index}, {"name", d.name}, {"kind", kind_name(d.kind)}, {"api", d.api_name()}, {"driver", d.driver},
          {"vendor_id", d.vendor_id}, {"device_id", d.device_id}, {"uuid", d.uuid_text()}, {"score", d.score}, {"usable", d.score > 0},
          {"reason", d.unusable}, {"mem_total", d.mem_total}, {"mem_free", d.mem_free}, {"features", feature_names(d.features)},
          {"limits", limits}, {"host_ptr_align", d.host_ptr_align}, {"subgroup_size", Json::array({d.subgroup_min, d.subgroup_max})},
          {"subgroup_matrix", d.matrices}};
}

// A selector that matches nothing (option device, DAYBREAK_DEVICE) leaves no default, and says so; the devices are there nevertheless.
Json default_json(Context& context) {
  try {
    return {{"index", context.choose_device(DBK_DEVICE_DEFAULT, "")}, {"reason", ""}};
  } catch (const Error& e) {
    return {{"index", nullptr}, {"reason", e.what()}};
  }
}

Json devices_report(Context& context) {
  Json devices = Json::array();
  for (uint32_t i = 0; i < context.device_count(); ++i) devices.push_back(device_json(i, context.device(i).info()));
  return {{"schema", "daybreak.device/1"},
          {"gpu", Json{{"available", context.device_count() > 1}, {"reason", context.gpu_reason()}}},
          {"default", default_json(context)},
          {"devices", devices}};
}

Json options_report() {
  constexpr const char* kTypes[] = {"", "int", "float", "string", "bool"};
  Json keys = Json::array();
  for (const OptionKey& k : option_keys())
    keys.push_back({{"scope", k.scope}, {"key", k.key}, {"type", kTypes[k.type]}, {"domain", k.domain}, {"default", k.fallback}, {"meaning", k.meaning}});
  return {{"schema", "daybreak.options/1"}, {"options", keys}};
}

// The versions of an op that the plugin knows, and the dtypes that any of them allows its main operand.
struct OpVersions {
  std::vector<uint32_t> since;
  DTypeSet dtypes = 0;
};

OpVersions versions_of(const OpRow& row, uint32_t main_input) {
  OpVersions known;
  for (uint32_t opset = row.domain.empty() ? kOldestOpset : 1; opset <= newest_opset(row.domain); ++opset) {
    const Schema* schema = find_schema(row.domain, row.name, opset);
    if (!schema || (!known.since.empty() && known.since.back() == schema->since)) continue;
    known.since.push_back(schema->since);
    const auto formals = schema->inputs().empty() ? schema->outputs() : schema->inputs();
    known.dtypes |= type_of(formals[std::min<size_t>(main_input, formals.size() - 1)]).tensors;
  }
  return known;
}

// "gpu" is what the kernels have code for, whether or not a GPU is there.
Json ops_report() {
  Json ops = Json::array();
  std::vector<OpRow> rows(all_ops().begin(), all_ops().end());
  rows.insert(rows.end(), all_controls().begin(), all_controls().end());
  const auto add = [&](const OpRow& row, uint32_t main_input) {
    const OpVersions known = versions_of(row, main_input);
    ops.push_back({{"domain", row.domain}, {"name", row.name}, {"family", row.family}, {"versions", known.since},
                   {"gpu", names_of((row.gpu_dtypes | widened_types(row)) & known.dtypes)}, {"cpu", names_of(row.host->dtypes & known.dtypes)}});
  };
  for (const OpRow& row : rows)
    if (!find_schema(row.domain, row.name, UINT32_MAX)->internal) add(row, row.host->main_input);
  for (const Composite& composite : composites()) {
    OpRow row = *find_op("", composite.main_op);
    row.domain = composite.domain, row.name = composite.name;
    add(row, composite.main_input);
  }
  return {{"schema", "daybreak.ops/1"}, {"opsets", Json::array({kOldestOpset, newest_opset("")})}, {"ops", ops}};
}

// Whether runs have this very plan. That of an executable with open extents stands for them; those of its runs are their own.
bool exact(Executable& exec, const Plan& plan) { return plan.types.complete && (exec.static_plan() || &plan != &exec.plan()); }

Json slot_json(const Slot& slot, bool borrowed) {
  constexpr const char* kKinds[] = {"none", "input", "output", "weight", "arena", "late"};
  Json json = {{"in", kKinds[static_cast<size_t>(slot.kind)]}, {"index", slot.index}, {"offset", slot.offset}};
  if (borrowed) json.add("borrowed", true);
  return json;
}

Json plan_report(Executable& exec, const Plan& plan) {
  const WeightUse use = exec.weight_use(plan);
  const uint64_t run_bytes = exec.run_bytes(plan);
  Json values = Json::array();
  for (ValueId v = 0; v < plan.types.types.size(); ++v) {
    const bool on_device = plan.device.slots[v].kind != Slot::Kind::None && !exec.device().is_cpu();
    const Slot& slot = on_device ? plan.device.slots[v] : plan.host.slots[v];
    if (slot.kind == Slot::Kind::None || plan.types[v].dtype == DBK_DTYPE_NONE) continue;
    values.push_back({{"value", v}, {"name", exec.graph().values[v].name}, {"dtype", to_string(plan.types[v].dtype)},
                      {"dims", plan.types[v].shape}, {"bytes", plan.types[v].bytes()},
                      {"place", slot_json(slot, use.in_place.contains(v))}});
  }
  return {{"schema", "daybreak.plan/1"}, {"exact", exact(exec, plan)}, {"weight_bytes", use.allocated},
          {"packed_bytes", use.packed}, {"borrowed_bytes", use.borrowed}, {"activation_bytes", run_bytes},
          {"scratch_bytes", run_bytes - plan.activation_bytes()}, {"late_values", std::ranges::count(plan.types.late, true)},
          {"input_bytes", plan.input_bytes}, {"output_bytes", plan.output_bytes}, {"arena_bytes", plan.device.bytes() + plan.host.bytes()},
          {"peak_live_bytes", plan.peak_bytes}, {"device_arenas", plan.device.arenas}, {"host_arenas", plan.host.arenas},
          {"packing", packing_report(exec, plan)}, {"values", values}};
}

Json schedule_report(Executable& exec, const Plan& plan) {
  Json segments = Json::array();
  for (const Segment& s : plan.segments) {
    Json steps = Json::array();
    for (uint32_t i = s.first; i < s.first + s.count; ++i) {
      const Node& node = exec.graph().main().nodes[plan.order[i]];
      steps.push_back({{"node", node.table_index}, {"op", node.op_name}, {"name", node.name},
                       {"kernel", exec.program().kernel_of(plan, plan.order[i])}});
    }
    segments.push_back({{"on", s.on_host ? "host" : "device"}, {"downloads", s.downloads}, {"uploads", s.uploads}, {"steps", steps}});
  }
  return {{"schema", "daybreak.schedule/1"}, {"segments", segments}, {"output_copies", plan.copies.size()}};
}

Json stats_report(const Stats& stats) {
  dbk_stats s{};
  stats.fill(s);
  return {{"schema", "daybreak.stats/1"}, {"weight_bytes", s.weight_bytes}, {"activation_bytes", s.activation_bytes},
          {"staging_bytes", s.staging_bytes}, {"pipelines_built", s.pipelines_built}, {"pipeline_cache_hits", s.pipeline_cache_hits},
          {"buffers_created", s.buffers_created}, {"device_objects", s.device_objects}, {"runs", s.runs}, {"dispatches", s.dispatches},
          {"segments", s.segments}, {"host_islands", s.host_islands}, {"island_bytes", s.island_bytes}, {"uploads", s.uploads},
          {"upload_bytes", s.upload_bytes}, {"uploads_skipped", s.uploads_skipped}, {"readback_bytes", s.readback_bytes},
          {"replans", s.replans}, {"host_allocations", s.host_allocations}, {"objects", s.objects},
          {"run_nanoseconds", stats.run_nanoseconds.load()}, {"device_nanoseconds", stats.device_nanoseconds.load()}};
}

std::string graph_report(Executable& exec, const Plan& plan, const Stats& stats, const std::string& kind) {
  if (kind == "placement") return placement_report(exec, plan, exact(exec, plan)).text();
  if (kind == "plan") return plan_report(exec, plan).text();
  if (kind == "schedule") return schedule_report(exec, plan).text();
  if (kind == "stats") return stats_report(stats).text();
  unknown_kind(kind, "placement, plan, schedule, stats");
}

}  // namespace

namespace {

struct Verdict {
  std::string where;  // "device", "view", "host" or "no"
  std::string reason;
  bool runs = true;
};

Verdict verdict_of(const Graph& graph, const Node& node, const Types& types, Device& device) {
  if (!node.op) return {"no", "this build has no such op", false};
  if (node.op->family == "view") return {"view", ""};
  if (control_of(node) != Control::None) return {"device", "the host drives its bodies"};
  Verdict verdict{"device", device.refuse(graph, node, types)};
  if (types.undecided(node)) return verdict;  // bind decides
  if (!verdict.reason.empty()) verdict.where = "host";
  if (verdict.where == "device" && !device.is_cpu()) return verdict;
  if (std::string why = missing_host_code(node, types); !why.empty()) return {"no", std::move(why), false};
  return verdict;
}

// The verdict of a node that is none any more after the passes.
Verdict verdict_of_absorbed(const Graph& graph, uint32_t caller) {
  const auto of_caller = [&](const Node& node) { return node.table_index == caller; };
  if (std::ranges::any_of(graph.prologue, of_caller)) return {"view", "computed from weights when they are given, not in runs"};
  for (auto rewrite = graph.rewrites.rbegin(); rewrite != graph.rewrites.rend(); ++rewrite)
    if (std::ranges::find(rewrite->absorbed, caller) != rewrite->absorbed.end())
      return rewrite->into == DBK_NONE ? Verdict{"view", rewrite->pass} : Verdict{"device", std::format("{}: part of node {}", rewrite->pass, rewrite->into)};
  return {"view", "nothing is left to do"};
}

// The verdict of every node, those of bodies behind the node they belong to. `types` is null where only a run or a bind tells them.
void each_verdict(const Graph& graph, const Types* types, Device& device, const std::function<void(const Node&, const Verdict&)>& f) {
  const std::vector<bool> needed = types ? needed_nodes(graph, *types) : std::vector<bool>(graph.main().nodes.size(), true);
  for (uint32_t n = 0; n < graph.main().nodes.size(); ++n) {
    const Node& node = graph.main().nodes[n];
    const bool late = !types || types->late_nodes[n];
    if (node.op && !needed[n]) {
      f(node, {"view", "its result is only used for shapes, or not at all"});
      continue;
    }
    if (node.op && late) f(node, {device.is_cpu() ? "device" : "host", "shapes around it are known only during the run"});
    else f(node, verdict_of(graph, node, types ? *types : Types{}, device));
    const std::vector<uint32_t> blocks = bodies_of(node);
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (late) each_verdict(*graph.bodies[blocks[b]], nullptr, device, f);
      else if (const auto typed = types->bodies.find(n); typed != types->bodies.end() && typed->second[b])
        each_verdict(*graph.bodies[blocks[b]], typed->second[b].get(), device, f);  // others do not run, or binding decides
    }
  }
}

// Why a plan of the graph does not keep to the memory budget.
std::vector<std::string> over_budget(Context& context, uint32_t device, Graph graph, const Options& options, const Progress& progress) {
  try {
    std::make_shared<Executable>(context.shared_from_this(), device, std::move(graph), options, DBK_COMPILE_PLAN_ONLY, progress);
  } catch (Error& e) {
    if (e.causes().front().code != DBK_OUT_OF_MEMORY) throw;
    return {e.causes().front().message};
  }
  return {};
}

}  // namespace

std::string context_report(Context& context, const std::string& kind) {
  if (kind == "device") return devices_report(context).text();
  if (kind == "options") return options_report().text();
  if (kind == "ops") return ops_report().text();
  if (kind == "stats") return stats_report(context.stats()).text();
  unknown_kind(kind, "device, options, ops, stats");
}

std::string exec_report(Executable& exec, const std::string& kind) { return graph_report(exec, exec.plan(), exec.stats(), kind); }

std::string run_report(Run& run, const std::string& kind) {
  if (!run.plan() && kind != "stats") fail(DBK_FAILED_PRECONDITION, "the run has no plan yet: set its extents or bind its inputs");
  Executable& exec = run.executable();
  return graph_report(exec, run.plan() ? *run.plan() : exec.plan(), run.stats(), kind);
}

std::string check_report(Context& context, uint32_t device, const dbk_graph& tables, const Options& options, const Progress& progress) {
  const uint32_t target_index = context.choose_device(device, options);
  Device& target = context.device(target_index);
  progress(DBK_STAGE_CHECK, 0, 1);
  Graph graph = read_tables(tables, options.flag("internal_ops"));
  keep_on_host(graph, options.text("host_ops"));
  normalize(graph);
  std::optional<Graph> to_plan;  // where a plan can tell more than the nodes
  if (options.integer("memory_budget")) to_plan = graph;
  Types types = infer(graph, {representative_extents(graph), {}, {}});
  std::vector<std::string> reasons;
  struct Row {
    std::string verdict;
    Json json;
  };
  std::map<uint32_t, Row> rows;  // by table index
  for (const Cause& cause : unsupported(graph)) reasons.push_back(cause.message);
  const std::vector<Node> given = graph.main().nodes;
  std::map<uint32_t, uint32_t> opsets;
  for (const Node& node : given) opsets[node.table_index] = node.opset;
  if (reasons.empty()) compile_passes(graph, types, {options.text("fusion") == "on", !target.is_cpu()});
  const bool strict = options.text("policy") == "require_gpu";
  if (strict && target.is_cpu()) reasons.push_back("policy require_gpu, but the chosen device is the CPU");
  bool on_device = true;
  const auto add = [&](const Node& node, const Verdict& v) {
    if (node.op && !v.runs) reasons.push_back(describe(node) + ": " + v.reason);
    else if (strict && v.where == "host") reasons.push_back(std::format("policy require_gpu: {}: {}", describe(node), v.reason));
    on_device = on_device && (v.where == "device" || v.where == "view");
    const CallerNode& caller = graph.callers[node.table_index];
    const auto before = rows.find(node.table_index);  // several nodes may do the work of one: the worst verdict counts
    if (before != rows.end() && (before->second.verdict == "host" || before->second.verdict == "no")) return;
    const Json row = {{"node", node.table_index}, {"name", node.name}, {"domain", caller.domain}, {"op", caller.op_name},
                      {"version", opsets.contains(node.table_index) ? opsets[node.table_index] : node.opset},
                      {"verdict", v.where}, {"reason", v.reason}};
    rows.insert_or_assign(node.table_index, Row{v.where, row});
  };
  each_verdict(graph, &types, target, add);
  for (const Node& node : given)
    if (!rows.contains(node.table_index)) add(node, verdict_of_absorbed(graph, node.table_index));
  Json list = Json::array();
  for (const auto& [index, row] : rows) list.push_back(row.json);
  progress(DBK_STAGE_CHECK, 1, 1);
  if (to_plan && reasons.empty()) reasons = over_budget(context, target_index, std::move(*to_plan), options, progress);
  const Json json = {{"schema", "daybreak.check/1"}, {"device", target.info().name}, {"runs", reasons.empty()}, {"reasons", reasons},
                     {"all_on_device", on_device}, {"nodes", list}};
  return json.text();
}

}  // namespace dbk
