// Names and keys of files about a device in the cache directory: what was found out about it holds for its driver and this build alone.
#pragma once

#include "plugin/device.h"

namespace dbk {

struct DeviceFile {
  std::string name;  // one for a device, format and settings
  std::string key;   // and of that the only one that is believed: with driver and build
};

// `format`: "calibration 1"; `settings`: what else the content depends on.
DeviceFile device_file(std::string_view format, const DeviceInfo& device, std::string_view settings);

}  // namespace dbk
