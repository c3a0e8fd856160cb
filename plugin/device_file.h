// Names and keys of files about a device in the cache directory: what was found out about it holds for its driver and these kernels alone.
#pragma once

#include "plugin/cache_folder.h"
#include "plugin/device.h"

namespace dbk {

struct DeviceFile {
  std::string name;      // one for a device, kind of content, settings, version of the format, driver, runtime and kernels: versions that take turns keep their own
  std::string siblings;  // how the names of files begin that differ in version, driver, runtime or kernels alone
  std::string key;       // all of that in words

  std::optional<std::string> load(CacheFolder& folder) const { return folder.load(name, key, siblings); }
  void store(CacheFolder& folder, std::string_view content) const { folder.store(name, key, content); }
  void update(CacheFolder& folder, const CacheFolder::Merge& merged) const { folder.update(name, key, merged); }
};

// Settings of a context for the keys, each by its name: those that make every kernel of a GPU faster or slower.
std::string settings_of_kernels(const Options& options);
// And those that decide which kernels it takes: for what is measured of whichever it takes.
std::string settings_of_choices(const Options& options);

// `kind`: "calibration"; `settings`: what else the content depends on.
DeviceFile device_file(std::string_view kind, uint32_t version, const DeviceInfo& device, std::string_view settings);

}  // namespace dbk
