#include "plugin/cost_report.h"

namespace dbk {

namespace {

// A step, and where it stands in the caller's graph.
struct Step {
  const Node& node;
  bool on_host;
  Work work;
};

std::vector<Step> steps_of(const Graph& graph, const Plan& plan) {
  std::vector<Step> steps;
  for (const Segment& segment : plan.segments)
    for (uint32_t s = segment.first; s < segment.first + segment.count; ++s) {
      const Node& node = graph.main().nodes[plan.order[s]];
      if (all_typed(node, plan.types)) steps.push_back({node, segment.on_host, work_of(node, plan.types)});
    }
  return steps;
}

Json time_json(const Work& work, const std::optional<DeviceRates>& rates) { return rates ? Json(microseconds_of(work, *rates)) : Json(nullptr); }

double bytes_of(const std::vector<ValueId>& values, const Types& types) {
  double bytes = 0;
  for (const ValueId v : values)
    if (types[v].dtype != DBK_DTYPE_NONE) bytes += static_cast<double>(types[v].bytes());  // others only the run tells
  return bytes;
}

// All of the graph on one device: a round trip, inputs up, outputs down, and its kernels one after the other.
Json total_json(const std::vector<Step>& steps, const Graph& graph, const Plan& plan, const std::optional<DeviceRates>& rates) {
  if (!rates) return nullptr;
  const Work around{.round_trips = 1, .upload_bytes = bytes_of(graph.main().inputs, plan.types),
                    .readback_bytes = bytes_of(graph.main().outputs, plan.types)};
  double sum = microseconds_of(around, *rates);
  for (const Step& step : steps) sum += microseconds_of(step.work, *rates);
  return sum;
}

}  // namespace

Json rates_json(const std::optional<DeviceRates>& rates) {
  if (!rates) return nullptr;
  Json json = Json::object();
  for (const RateField& field : kRateFields) json.add(field.name, (*rates).*field.value);
  return json;
}

Json cost_report(Executable& exec, const Plan& plan, bool exact) {
  const Context& context = exec.context();
  const auto device = context.rates(exec.device_index()), cpu = context.rates(context.device_count() - 1);
  const std::vector<Step> steps = steps_of(exec.graph(), plan);
  Json nodes = Json::array(), devices = Json::array();
  Work all;
  for (const Step& step : steps) {
    all += step.work;
    nodes.push_back({{"node", step.node.table_index}, {"op", step.node.op_name}, {"name", step.node.name},
                     {"on", step.on_host ? "host" : "device"}, {"flops", step.work.flops}, {"bytes", step.work.bytes},
                     {"device_microseconds", time_json(step.work, device)}, {"cpu_microseconds", time_json(step.work, cpu)}});
  }
  for (uint32_t i = 0; i < context.device_count(); ++i)
    devices.push_back({{"index", i}, {"microseconds", total_json(steps, exec.graph(), plan, context.rates(i))}});
  return {{"schema", "daybreak.cost/1"}, {"exact", exact}, {"device", exec.device_index()}, {"flops", all.flops}, {"bytes", all.bytes},
          {"devices", devices}, {"nodes", nodes}};
}

}  // namespace dbk
