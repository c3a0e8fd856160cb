#include "plugin/cost_report.h"

#include "plugin/run_estimate.h"

namespace dbk {

namespace {

Json time_json(const Work& work, const std::optional<DeviceRates>& rates) { return rates ? Json(microseconds_of(work, *rates)) : Json(nullptr); }

}  // namespace

Json rates_json(const std::optional<DeviceRates>& rates) {
  if (!rates) return nullptr;
  Json json = Json::object();
  for (const RateField& field : kRateFields) {
    const double value = (*rates).*field.value;
    json.add(field.name, field.optional && value == 0 ? Json(nullptr) : Json(value));
  }
  return json;
}

Json cost_report(Executable& exec, const Plan& plan, bool exact) {
  const Context& context = exec.context();
  const auto device = context.rates(exec.device_index()), cpu = context.rates(context.device_count() - 1);
  Json nodes = Json::array(), devices = Json::array();
  double flops = 0, bytes = 0;
  for (const PlannedWork& step : work_of(exec.graph(), plan)) {
    flops += step.work.flops, bytes += step.work.bytes;
    nodes.push_back({{"node", step.node.table_index}, {"op", step.node.op_name}, {"name", step.node.name},
                     {"on", step.on_host ? "host" : "device"}, {"flops", step.work.flops}, {"bytes", step.work.bytes},
                     {"arithmetic", to_string(step.work.arithmetic)}, {"device_microseconds", time_json(step.work, device)},
                     {"cpu_microseconds", time_json(step.work, cpu)}});
  }
  for (uint32_t i = 0; i < context.device_count(); ++i) {
    const auto rates = context.rates(i), host = i == exec.device_index() ? cpu : rates;  // elsewhere as if all of it ran there
    devices.push_back({{"index", i}, {"microseconds", rates && host ? Json(microseconds_of(exec.graph(), plan, *rates, *host)) : Json(nullptr)}});
  }
  return {{"schema", "daybreak.cost/1"}, {"exact", exact}, {"device", exec.device_index()}, {"flops", flops}, {"bytes", bytes},
          {"devices", devices}, {"nodes", nodes}};
}

}  // namespace dbk
