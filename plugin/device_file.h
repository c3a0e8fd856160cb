// Names and keys of files about a device in the cache directory: what was found out about it holds for its driver and this build alone.
#pragma once

#include "plugin/device.h"

namespace dbk {

struct DeviceFile {
  std::string name;  // one for a device, kind of content and settings
  std::string key;   // and of that the only one that is believed: with the version of the format, driver and build
};

// `kind`: "calibration"; `settings`: what else the content depends on.
DeviceFile device_file(std::string_view kind, uint32_t version, const DeviceInfo& device, std::string_view settings);

}  // namespace dbk
