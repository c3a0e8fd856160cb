// What was measured of the kernels of GPUs, kept in the cache directory: one text file a device. Times of another driver or of kernels
// that have changed since, of a context with validation or with other kernels are not believed.
#pragma once

#include "plugin/device_file.h"
#include "plugin/gpu/families/tuned_products.h"

namespace dbk::gpu {

class TuningFiles {
 public:
  TuningFiles(const Options& options, const Log& log);

  TunedProducts load(const DeviceInfo& device);  // empty where there is nothing that can be believed
  // Together with what other processes have stored before, or store meanwhile.
  void store(const DeviceInfo& device, const TunedProducts& products);

 private:
  DeviceFile file_of(const DeviceInfo& device) const;
  TunedProducts parsed(const std::optional<std::string>& text, const DeviceInfo& device);  // empty where it is no such text

  std::string settings_;  // of the context, as far as they change the times
  CacheFolder folder_;
  Log log_;
};

}  // namespace dbk::gpu
