#include "plugin/device_ranking.h"

#include <algorithm>
#include <cmath>

namespace dbk {

namespace {

// Reference runs in ten seconds: numbers that tell a slow CPU from a slower one, and fit.
uint32_t score_of(double microseconds) { return static_cast<uint32_t>(std::clamp(std::round(1e7 / microseconds), 1.0, 4e9)); }

const char* guess_of(uint32_t kind) {
  switch (kind) {
    case DBK_DEVICE_CPU: return "not measured: behind real GPUs, before software adapters";
    case DBK_DEVICE_DISCRETE_GPU: return "not measured: a discrete GPU, before all others";
    case DBK_DEVICE_INTEGRATED_GPU: return "not measured: an integrated GPU, before the CPU";
    case DBK_DEVICE_SOFTWARE_GPU: return "not measured: a software adapter, behind the CPU";
    default: return "not measured: some GPU, before the CPU";
  }
}

// A software adapter computes on the cores of the CPU: other work on them may halve what is measured of either, and the CPU device has
// no driver between. So it must be clearly faster to come first.
constexpr double kSoftwareHandicap = 2;

double counted_microseconds(const DeviceInfo& device, const DeviceRates& rates) {
  return microseconds_of(kReferenceRun, rates) * (device.kind == DBK_DEVICE_SOFTWARE_GPU ? kSoftwareHandicap : 1);
}

std::string reason(const DeviceInfo& device, const DeviceRates& rates, double best) {
  const double microseconds = microseconds_of(kReferenceRun, rates), counted = counted_microseconds(device, rates);
  const Work& run = kReferenceRun;
  std::string text = std::format("measured: a reference run ({:.1f} GFLOP, {:.0f} MB, {:.0f} kernels) takes about {:.1f} ms", run.flops / 1e9,
                                 run.bytes / 1e6, run.kernels, microseconds / 1e3);
  text += std::format(" ({:.1f} GFLOP/s, {:.1f} GB/s)", rates.matmul_f32_gigaflops, rates.memory_gigabytes_per_second);
  if (counted > microseconds) text += ", counted twice, as it shares the CPU's cores";
  if (counted > best) text += std::format(": {:.1f} times the time of the best device", counted / best);
  return text;
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
  double best = INFINITY;
  for (uint32_t i : order)
    if (measured) best = std::min(best, counted_microseconds(devices[i], *rates[i]));
  for (uint32_t i : order) {
    if (measured) ranks[i].score = score_of(counted_microseconds(devices[i], *rates[i]));
    ranks[i].why = measured ? reason(devices[i], *rates[i], best) : guess_of(devices[i].kind);
  }
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](uint32_t i) { return ranks[i].score; });
  for (uint32_t i = 0; i < order.size(); ++i) ranks[order[i]].rank = i + 1;
  return ranks;
}

}  // namespace dbk
