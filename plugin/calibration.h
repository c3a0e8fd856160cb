// What was measured of devices, kept in the cache directory: one small text file a device, with the units in the names. Figures of another
// driver, of other kernels, another number of threads or of a context whose options choose other kernels are not believed.
#pragma once

#include "plugin/cost_model.h"
#include "plugin/device_file.h"

namespace dbk {

class CalibrationFiles {
 public:
  CalibrationFiles(const Options& options, const Log& log);

  std::optional<DeviceRates> load(const DeviceInfo& device);
  void store(const DeviceInfo& device, const DeviceRates& rates);

 private:
  DeviceFile file_of(const DeviceInfo& device) const;

  std::string setting_;  // of the context, as far as it changes the figures
  int64_t threads_;
  CacheFolder folder_;
  Log log_;
};

}  // namespace dbk
