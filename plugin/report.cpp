#include "plugin/report.h"

#include "plugin/cost_report.h"
#include "plugin/graph/composites.h"
#include "plugin/graph/control.h"
#include "plugin/graph/schema.h"
#include "plugin/packing_report.h"
#include "plugin/placement_report.h"

namespace dbk {

namespace {

[[noreturn]] void unknown_kind(const std::string& kind, const char* known) {
  fail(DBK_NOT_FOUND, "no report '{}' here; there are, all of revision 1: {}", kind, known);
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

Json device_json(uint32_t index, const DeviceInfo& d, const DeviceRank& rank, const std::optional<DeviceRates>& rates) {
  Json limits = d.limits;
  limits.add("max_buffer", d.max_buffer);
  limits.add("max_binding", d.max_binding);
  return {{"index", index}, {"name", d.name}, {"kind", kind_name(d.kind)}, {"api", d.api_name()}, {"driver", d.driver},
          {"vendor_id", d.vendor_id}, {"device_id", d.device_id}, {"uuid", d.uuid_text()}, {"score", rank.score}, {"usable", d.score > 0},
          {"rank", rank.rank ? Json(rank.rank) : Json(nullptr)}, {"why", rank.why}, {"measured", rates_json(rates)},
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

Json devices_report(Context& context, const Progress& progress) {
  if (context.options().text("calibration") == "auto") context.measure(/*again=*/false, progress);
  const Json chosen = default_json(context);
  const std::vector<DeviceRank> ranks = context.ranking();
  Json devices = Json::array();
  for (uint32_t i = 0; i < context.device_count(); ++i) devices.push_back(device_json(i, context.device(i).info(), ranks[i], context.rates(i)));
  return {{"schema", "daybreak.device/1"},
          {"gpu", Json{{"available", context.device_count() > 1}, {"reason", context.gpu_reason()}}},
          {"default", chosen},
          {"devices", devices}};
}

// Measures: whoever asks for this report asks for that.
Json calibration_report(Context& context, const Progress& progress) {
  if (context.options().text("calibration") == "off") fail(DBK_FAILED_PRECONDITION, "option calibration is off: nothing is measured");
  const Stopwatch watch;
  const std::vector<std::string> failures = context.measure(/*again=*/true, progress);
  Json devices = Json::array();
  const std::vector<DeviceRank> ranks = context.ranking();
  for (uint32_t i = 0; i < context.device_count(); ++i)
    devices.push_back({{"index", i}, {"name", context.device(i).info().name}, {"rank", ranks[i].rank ? Json(ranks[i].rank) : Json(nullptr)},
                       {"why", ranks[i].why}, {"measured", rates_json(context.rates(i))}, {"failure", failures[i]}});
  return {{"schema", "daybreak.calibration/1"}, {"nanoseconds", watch.nanoseconds()}, {"devices", devices}};
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
                   {"gpu", names_of((row.gpu_dtypes | row.widened_dtypes) & known.dtypes)}, {"cpu", names_of(row.host->dtypes & known.dtypes)}});
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
  constexpr const char* kKinds[] = {"none", "input", "output", "weight", "arena", "late", "device"};
  Json json = {{"in", kKinds[static_cast<size_t>(slot.kind)]}, {"index", slot.index}, {"offset", slot.offset}};
  if (borrowed) json.add("borrowed", true);
  return json;
}

// The extents that stand for those of runs.
Json assumed_extents(Executable& exec) {
  Json list = Json::array();
  const std::vector<int64_t> extents = representative_extents(exec.graph());
  for (uint32_t s : exec.input_symbols()) {
    const Symbol& symbol = exec.graph().symbols[s];
    list.push_back({{"name", symbol.name}, {"extent", extents[s]}, {"bounded", symbol.bounded()}});
  }
  return list;
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
  const bool is_exact = exact(exec, plan);
  return {{"schema", "daybreak.plan/1"}, {"exact", is_exact}, {"complete", plan.types.complete},
          {"assumed", is_exact ? Json::array() : assumed_extents(exec)}, {"weight_bytes", use.allocated},
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
      steps.push_back({{"step", plan.order[i]}, {"node", node.table_index}, {"op", node.op_name}, {"name", node.name},
                       {"kernel", exec.program()->kernel_of(plan, plan.order[i])}});
    }
    segments.push_back({{"on", s.on_host ? "host" : "device"}, {"downloads", s.downloads}, {"uploads", s.uploads}, {"steps", steps}});
  }
  return {{"schema", "daybreak.schedule/1"}, {"segments", segments}, {"output_copies", plan.copies.size()}};
}

Json compile_stats(const Stats& s) {
  return {{"graph_nanoseconds", s.graph_nanoseconds.load()}, {"ready_nanoseconds", s.ready_nanoseconds.load()},
          {"texts_written", s.texts_written.load()}, {"shader_nanoseconds", s.shader_nanoseconds.load()}, {"pipeline_nanoseconds", s.pipeline_nanoseconds.load()},
          {"warm_up_nanoseconds", s.warm_up_nanoseconds.load()}, {"pipelines_built", s.pipelines_built.load()},
          {"pipelines_shared", s.pipeline_cache_hits.load()}, {"blob_cache_hits", s.blob_cache_hits.load()},
          {"blob_cache_misses", s.blob_cache_misses.load()}, {"weights_judged", s.weights_judged.load()},
          {"judging_nanoseconds", s.judging_nanoseconds.load()}};
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
          {"run_nanoseconds", stats.run_nanoseconds.load()}, {"device_nanoseconds", stats.device_nanoseconds.load()},
          {"compile_stats", compile_stats(stats)}};
}

std::string graph_report(Executable& exec, const Plan& plan, const Stats& stats, const std::string& kind) {
  if (kind == "placement") return placement_report(exec, plan, exact(exec, plan)).text();
  if (kind == "plan") return plan_report(exec, plan).text();
  if (kind == "schedule") return schedule_report(exec, plan).text();
  if (kind == "cost") return cost_report(exec, plan, exact(exec, plan)).text();
  if (kind == "stats") return stats_report(stats).text();
  unknown_kind(kind, "placement, plan, schedule, cost, stats");
}

}  // namespace

// "plan/1", a kind with the revision of its schema, and "plan" are the same for ever; so far no kind has another.
std::string report_kind(std::string given) {
  constexpr std::string_view kFirst = "/1";
  if (given.ends_with(kFirst)) given.resize(given.size() - kFirst.size());
  return given;
}

std::string context_report(Context& context, const std::string& kind, const Progress& progress) {
  if (kind == "device") return devices_report(context, progress).text();
  if (kind == "calibration") return calibration_report(context, progress).text();
  if (kind == "options") return options_report().text();
  if (kind == "ops") return ops_report().text();
  if (kind == "stats") return stats_report(context.stats()).text();
  unknown_kind(kind, "device, calibration, options, ops, stats");
}

std::string exec_report(Executable& exec, const std::string& kind) { return graph_report(exec, exec.plan(), exec.stats(), kind); }

std::string run_report(Run& run, const std::string& kind) {
  if (!run.plan() && kind != "stats") fail(DBK_FAILED_PRECONDITION, "the run has no plan yet: set its extents or bind its inputs");
  Executable& exec = run.executable();
  return graph_report(exec, run.plan() ? *run.plan() : exec.plan(), run.stats(), kind);
}

}  // namespace dbk
