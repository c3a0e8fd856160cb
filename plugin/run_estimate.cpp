#include "plugin/run_estimate.h"

#include "plugin/body_plans.h"
#include "plugin/graph/control.h"
#include "plugin/memory_limit.h"
#include "plugin/pass_options.h"
#include "plugin/support.h"

namespace dbk {

namespace {

double bytes_of(const std::vector<ValueId>& values, const Types& types) {
  double bytes = 0;
  for (const ValueId v : values)
    if (types[v].dtype != DBK_DTYPE_NONE) bytes += static_cast<double>(types[v].bytes());  // others only the run tells
  return bytes;
}

// What a run does besides computing.
Work transfers_of(const Graph& graph, const Plan& plan) {
  Work work{.upload_bytes = bytes_of(graph.main().inputs, plan.types), .readback_bytes = bytes_of(graph.main().outputs, plan.types)};
  for (const Segment& segment : plan.segments) {
    work.round_trips += !segment.on_host;
    work.upload_bytes += bytes_of(segment.uploads, plan.types);
    work.readback_bytes += bytes_of(segment.downloads, plan.types);
  }
  work.round_trips = std::max(work.round_trips, 1.0);
  return work;
}

}  // namespace

std::vector<PlannedWork> work_of(const Graph& graph, const Plan& plan) {
  std::vector<PlannedWork> steps;
  for (const Segment& segment : plan.segments)
    for (uint32_t s = segment.first; s < segment.first + segment.count; ++s) {
      const Node& node = graph.main().nodes[plan.order[s]];
      if (all_typed(node, plan.types)) steps.push_back({node, segment.on_host, work_of(node, plan.types, graph.precision)});
    }
  return steps;
}

double microseconds_of(const Graph& graph, const Plan& plan, const DeviceRates& device, const DeviceRates& cpu) {
  double sum = microseconds_of(transfers_of(graph, plan), device);
  for (const PlannedWork& step : work_of(graph, plan)) sum += microseconds_of(step.work, step.on_host ? cpu : device);
  for (const auto& [node, plans] : plan.bodies) {
    const std::vector<uint32_t> bodies = bodies_of(graph.main().nodes[node]);
    for (size_t b = 0; b < bodies.size(); ++b)
      if (plans[b]) sum += microseconds_of(*graph.bodies[bodies[b]], *plans[b], device, cpu);
  }
  return sum;
}

Types types_to_estimate(const Graph& graph) {
  if (std::vector<Cause> causes = unsupported(graph); !causes.empty()) throw Error(std::move(causes));
  Types types = infer(graph, {representative_extents(graph), {}, {}});
  if (!types.complete) fail(DBK_FAILED_PRECONDITION, "shapes that only binding tells");
  return types;
}

double estimate_run(Device& device, Graph graph, Types types, const Options& options, const DeviceRates& rates, const DeviceRates& cpu) {
  if (const std::string why = device.refuse_options(); !why.empty()) fail(DBK_INVALID_ARGUMENT, "{}", why);
  graph.precision = precision_of(options.text("precision"));
  compile_passes(graph, types, pass_options(device, options));
  std::vector<Placement> placement = place_nodes(device, graph, types);
  place_late_nodes(graph, types, placement);
  std::vector<Cause> refused;
  const Plan plan = plan_graph(device, graph, types, std::move(placement), options.text("policy") == "require_gpu", refused);
  if (!refused.empty()) throw Error(std::move(refused));
  if (std::string why = refuse_memory(device, graph, plan); !why.empty()) throw Error(DBK_OUT_OF_MEMORY, std::move(why));
  return microseconds_of(graph, plan, rates, cpu);
}

}  // namespace dbk
