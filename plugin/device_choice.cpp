#include "plugin/device_choice.h"

#include <algorithm>

#include "plugin/run_estimate.h"

namespace dbk {

namespace {

// Usable, and not against the policy.
std::vector<bool> candidates_of(std::span<const DeviceInfo> devices, const Options& compile) {
  std::vector<bool> candidates;
  for (const DeviceInfo& device : devices)
    candidates.push_back(device.score > 0 && (device.kind != DBK_DEVICE_CPU || compile.text("policy") != "require_gpu"));
  return candidates;
}

RunEstimate estimate_on(Device& device, const Graph& graph, const Types& types, const Options& compile, const DeviceRates& rates, const DeviceRates& cpu) {
  try {
    return {estimate_run(device, graph, types, compile, rates, cpu), ""};
  } catch (const Error& e) {
    return {std::nullopt, e.causes().front().message};
  }
}

}  // namespace

DeviceChoice choose_for_graph(Context& context, const Graph& graph, const Options& compile, DeviceChoice by_rank, std::optional<Types>& inferred) {
  const std::vector<DeviceInfo> devices = context.device_infos();
  const std::vector<bool> candidates = candidates_of(devices, compile);
  if (!by_rank.open || std::ranges::count(candidates, true) < 2) return by_rank;
  const std::vector<std::optional<DeviceRates>> rates = context.all_rates();
  for (size_t i = 0; i < devices.size(); ++i)
    if (!rates[i] && devices[i].score > 0) return by_rank;
  if (!std::ranges::all_of(graph.symbols, &Symbol::bounded)) {
    by_rank.reason += "; this graph is not estimated: an extent without a maximum says nothing of its runs";
    return by_rank;
  }
  std::string why_not;
  try {
    inferred = types_to_estimate(graph);
  } catch (const Error& e) {
    why_not = e.causes().front().message;
  }
  by_rank.estimates.resize(devices.size());
  for (uint32_t i = 0; i < devices.size(); ++i)
    if (candidates[i])
      by_rank.estimates[i] = inferred ? estimate_on(context.device(i), graph, *inferred, compile, *rates[i], *rates.back()) : RunEstimate{std::nullopt, why_not};
  const std::optional<GraphRank> best = best_for_graph(devices, rates, by_rank.estimates);
  if (!best) {
    by_rank.reason += "; this graph is not estimated: " + by_rank.estimates[by_rank.device].why_not;
    return by_rank;
  }
  by_rank.device = best->device, by_rank.reason = best->why;
  return by_rank;
}

}  // namespace dbk
