#include "host_share.h"

#include <format>

#include "placement.h"
#include "report.h"
#include "session.h"
#include "units.h"

namespace host {
namespace {

using nlohmann::json;

uint64_t count_in(const json& object, const char* key) {
  const json value = object.value(key, json());
  return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
}

std::string percent(double part, double whole) { return std::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0); }

struct Clock {
  uint64_t runs, run, device;
  explicit Clock(const json& stats)
      : runs(count_in(stats, "runs")), run(count_in(stats, "run_nanoseconds")), device(count_in(stats, "device_nanoseconds")) {}
};

}  // namespace

HostShare host_share(const json& placement) {
  const json summary = object_in(placement, "summary");
  HostShare result;
  result.host_nodes = count_in(summary, "host");
  result.open_nodes = count_in(summary, "open");
  result.nodes = result.host_nodes + result.open_nodes + count_in(summary, "device");
  return result;
}

HostShare::Times measured_times(Session& session) {
  constexpr int repeat = 5;
  const auto clock = [&] { return Clock(parse_report(session.report("stats"))); };
  session.run_once();
  const Clock before = clock();
  for (int i = 0; i < repeat; ++i) session.run_once();
  const Clock after = clock();
  const double runs = static_cast<double>(after.runs - before.runs), whole = static_cast<double>(after.run - before.run);
  const double device = static_cast<double>(after.device - before.device);
  return {(whole - device) / runs * 1e-9, whole / runs * 1e-9};
}

std::string HostShare::text() const {
  std::string result = std::format("{} of {} with work ({})", host_nodes, node_count(nodes), percent(static_cast<double>(host_nodes), static_cast<double>(nodes)));
  if (open_nodes > 0) result += std::format(", {} more perhaps: binding decides", open_nodes);
  if (times)
    result += std::format(", {} of {} a run ({})", times->host_seconds > 0 ? seconds_text(times->host_seconds) : "0 s", seconds_text(times->seconds),
                          percent(times->host_seconds, times->seconds));
  return result;
}

json HostShare::json() const {
  nlohmann::json result = {{"host_nodes", host_nodes}, {"nodes", nodes}};
  if (open_nodes > 0) result["open_nodes"] = open_nodes;
  if (times) result.update({{"host_seconds", times->host_seconds}, {"seconds", times->seconds}});
  return result;
}

}  // namespace host
