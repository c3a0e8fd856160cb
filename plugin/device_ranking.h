// Which device is the better default, and why: by the time that a reference run takes on each where all of them are measured, else by what
// kind of device they are: measurements of some only would compare with guesses. Software adapters come before the CPU only where they are
// faster in everything.
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

}  // namespace dbk
