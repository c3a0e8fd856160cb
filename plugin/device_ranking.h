// Which device is the better default, and why: by the time that a reference run takes on each where all of them are measured, else by what
// kind of device they are: measurements of some only would compare with guesses. Software adapters come before the CPU only where they are
// faster in everything. The same for one graph, by what its runs should take.
#pragma once

#include <optional>
#include <span>

#include "plugin/cost_model.h"
#include "plugin/device.h"

namespace dbk {

struct DeviceRank {
  uint32_t score = 0;  // as in dbk_device_info
  uint32_t rank = 0;   // 1 is the best; 0: unusable
  std::string why;
};

// By device; of equal scores the first device is the better. `rates` has one entry per device.
std::vector<DeviceRank> rank_devices(std::span<const DeviceInfo> devices, std::span<const std::optional<DeviceRates>> rates);

// What a run of a graph should take on a device.
struct RunEstimate {
  std::optional<double> microseconds;
  std::string why_not;  // nothing is known

  bool asked() const { return microseconds || !why_not.empty(); }  // else the device is no candidate
};

struct GraphRank {
  uint32_t device = 0;
  std::string why;  // with all estimates
};

// The device with the least estimate, of equal ones the first; nothing where there is no estimate. All lists are by device.
std::optional<GraphRank> best_for_graph(std::span<const DeviceInfo> devices, std::span<const std::optional<DeviceRates>> rates,
                                        std::span<const RunEstimate> estimates);

}  // namespace dbk
