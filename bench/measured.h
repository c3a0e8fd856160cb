// Cases (cases.h) as benchmarks, named KIND/SHAPE/WHO: a device ("cpu", "gpu0"), a GPU with one family of matrix
// products ("gpu0.tile"), or a yardstick. Counters are GFLOP/s, GB/s and of_peak: the part of what the device reached
// when it was measured.
#pragma once

#include <map>

#include "cases.h"

namespace bench {

// A plugin and what is measured of it. Contexts live as long as this does.
class Subject {
 public:
  explicit Subject(const std::string& plugin);

  const std::string& path() const { return path_; }
  const daybreak::Context& context() const { return context_; }
  // One whose GPUs have a family of products forced; made when it is first wanted. Throws where they cannot.
  const daybreak::Context& with_family(const std::string& family);
  const std::vector<daybreak::DeviceInfo>& devices() const { return devices_; }  // usable ones
  const Peak& peak(uint32_t device) const { return peaks_.at(device); }
  std::vector<std::string> families() const;  // that option matmul_family takes

 private:
  std::string path_;
  daybreak::Plugin plugin_;
  daybreak::Context context_;
  std::vector<daybreak::DeviceInfo> devices_;
  std::vector<Peak> peaks_;
  std::map<std::string, daybreak::Context> contexts_;  // by family
};

std::string short_name(const daybreak::DeviceInfo& device);  // "cpu", "gpu0"

// `subject` lives until the benchmarks have run.
void register_case(Subject& subject, const Case& what);

}  // namespace bench
