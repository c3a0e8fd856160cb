#include "plugin/device_ranking.h"

#include <algorithm>
#include <cmath>

namespace dbk {

namespace {

// Reference runs in ten seconds: numbers that tell a slow CPU from a slower one, and fit.
uint32_t score_of(double microseconds) { return static_cast<uint32_t>(std::clamp(std::round(1e7 / microseconds), 2.0, 4e9)); }

const char* guess_of(uint32_t kind) {
  switch (kind) {
    case DBK_DEVICE_CPU: return "not measured: behind real GPUs, before software adapters";
    case DBK_DEVICE_DISCRETE_GPU: return "not measured: a discrete GPU, before all others";
    case DBK_DEVICE_INTEGRATED_GPU: return "not measured: an integrated GPU, before the CPU";
    case DBK_DEVICE_SOFTWARE_GPU: return "not measured: a software adapter, behind the CPU";
    default: return "not measured: some GPU, before the CPU";
  }
}

bool faster_in_everything(const DeviceRates& a, const DeviceRates& b) {
  return std::ranges::all_of(kRateFields, [&](const RateField& field) {
    const double of_a = a.*field.value, of_b = b.*field.value;
    if (field.optional && of_a == 0 && of_b == 0) return true;  // neither has it
    const bool is_time = std::string_view(field.name).ends_with("_microseconds");
    return is_time ? of_a < of_b : of_a > of_b;
  });
}

// A software adapter computes on the cores of the CPU, and has a driver between: it is hardly the better device, and other work on those
// cores may distort what was measured of either by factors. So it comes before the CPU only where there is no doubt.
bool held_back(const DeviceInfo& device, const DeviceRates& rates, const DeviceRates* cpu) {
  return device.kind == DBK_DEVICE_SOFTWARE_GPU && cpu && !faster_in_everything(rates, *cpu);
}

constexpr const char* kHeldBack = "behind the CPU, whose cores it shares, as it is not faster in everything";

std::string reason(double microseconds, double best, const DeviceRates& rates) {
  const Work& run = kReferenceRun;
  std::string text = std::format("measured: a reference run ({:.1f} GFLOP, {:.0f} MB, {:.0f} kernels) takes about {:.1f} ms", run.flops / 1e9,
                                 run.bytes / 1e6, run.kernels, microseconds / 1e3);
  text += std::format(" ({:.1f} GFLOP/s, {:.1f} GB/s)", rates.matmul_f32_gigaflops, rates.memory_gigabytes_per_second);
  if (microseconds > best) text += std::format(", {:.1f} times that of the fastest", microseconds / best);
  return text;
}

void rank_by_time(std::span<const DeviceInfo> devices, std::span<const std::optional<DeviceRates>> rates, std::span<DeviceRank> ranks) {
  double best = INFINITY;
  const DeviceRates* cpu = nullptr;
  uint32_t cpu_score = 0;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].score) continue;
    const double time = microseconds_of(kReferenceRun, *rates[i]);
    best = std::min(best, time);
    ranks[i].score = score_of(time);
    if (devices[i].kind == DBK_DEVICE_CPU) cpu = &*rates[i], cpu_score = ranks[i].score;
  }
  for (size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].score) continue;
    ranks[i].why = reason(microseconds_of(kReferenceRun, *rates[i]), best, *rates[i]);
    if (!held_back(devices[i], *rates[i], cpu)) continue;
    ranks[i].score = std::min(ranks[i].score, cpu_score - 1);
    ranks[i].why += std::string("; ") + kHeldBack;
  }
}

// "0.12 ms on 0 'NAME'"
std::string estimate_text(uint32_t index, const DeviceInfo& device, const RunEstimate& estimate) {
  if (!estimate.microseconds) return std::format("nothing is known on {} '{}': {}", index, device.name, estimate.why_not);
  return std::format("{:.3g} ms on {} '{}'", *estimate.microseconds / 1e3, index, device.name);
}

}  // namespace

std::vector<DeviceRank> rank_devices(std::span<const DeviceInfo> devices, std::span<const std::optional<DeviceRates>> rates) {
  std::vector<DeviceRank> ranks(devices.size());
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < devices.size(); ++i) {
    ranks[i].score = devices[i].score;
    if (devices[i].score) order.push_back(i);
    else ranks[i].why = "unusable: " + devices[i].unusable;
  }
  const bool measured = std::ranges::all_of(order, [&](uint32_t i) { return rates[i].has_value(); });
  if (measured) rank_by_time(devices, rates, ranks);
  else for (uint32_t i : order) ranks[i].why = guess_of(devices[i].kind);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](uint32_t i) { return ranks[i].score; });
  for (uint32_t i = 0; i < order.size(); ++i) ranks[order[i]].rank = i + 1;
  return ranks;
}

std::optional<GraphRank> best_for_graph(std::span<const DeviceInfo> devices, std::span<const std::optional<DeviceRates>> rates,
                                        std::span<const RunEstimate> estimates) {
  const auto cpu = std::ranges::find(devices, uint32_t{DBK_DEVICE_CPU}, &DeviceInfo::kind) - devices.begin();
  const bool with_cpu = cpu < std::ssize(devices) && estimates[static_cast<size_t>(cpu)].microseconds;
  const DeviceRates* cpu_rates = with_cpu ? &*rates[static_cast<size_t>(cpu)] : nullptr;
  const auto is_held_back = [&](uint32_t i) { return held_back(devices[i], *rates[i], cpu_rates); };
  std::optional<uint32_t> best;
  for (uint32_t i = 0; i < devices.size(); ++i)
    if (estimates[i].microseconds && !is_held_back(i) && (!best || *estimates[i].microseconds < *estimates[*best].microseconds)) best = i;
  if (!best) return std::nullopt;
  std::string why = "a run of this graph is estimated at " + estimate_text(*best, devices[*best], estimates[*best]);
  for (uint32_t i = 0; i < devices.size(); ++i) {
    if (i == *best || !estimates[i].asked()) continue;
    why += "; " + estimate_text(i, devices[i], estimates[i]);
    if (estimates[i].microseconds && is_held_back(i)) why += std::string(", ") + kHeldBack;
  }
  return GraphRank{*best, std::move(why)};
}

}  // namespace dbk
