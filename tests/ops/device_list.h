// The plugin under test and its devices. DAYBREAK_PLUGIN names the library.
// A test without its device is skipped with the reason, or fails where CI or DAYBREAK_REQUIRE_GPU is set.
#pragma once

#include <string>
#include <vector>

#include "daybreak.hpp"

namespace ops {

inline constexpr int kSkipped = 77;  // exit code that ctest counts as skipped

class DeviceList {
 public:
  // kind: "cpu"; "gpu", with every call validated; "fast", GPUs as users have them: unchecked accesses allow other kernels on some
  // adapters; "hardware" and "hardware_fast": as those, with the kernels for graphics hardware whatever the adapter is.
  explicit DeviceList(const std::string& kind);

  const daybreak::Context& context() const { return context_; }
  const std::vector<daybreak::DeviceInfo>& devices() const { return devices_; }
  bool has_hardware_kernels() const { return kind_.starts_with("hardware"); }

  // 0 where there is a device, with what a forced family of kernels wants; otherwise prints why not and gives the exit code.
  int exit_code_without_device() const;

 private:
  std::string kind_;
  daybreak::Context context_;
  std::vector<daybreak::DeviceInfo> devices_;
};

bool is_cpu(const daybreak::DeviceInfo& device);

}  // namespace ops
