#include "plugin/device_file.h"

#include <thread>

#include "plugin/cpu/isa.h"
#include "plugin/kernel_hash.h"

namespace dbk {

namespace {

// What computes for a software adapter, which names itself alike on all machines; they may share a home directory.
std::string processor_of(const DeviceInfo& device) {
  if (device.kind != DBK_DEVICE_SOFTWARE_GPU) return {};
  return std::format("on {}, {} cores\n", cpu_name(), std::thread::hardware_concurrency());
}

}  // namespace

std::string settings_of_kernels(const Options& options) {
  return std::format("validation {}, kernels {}, max_binding {}", options.flag("validation"), options.text("kernels"), options.integer("max_binding"));
}

std::string settings_of_choices(const Options& options) {
  return std::format("{}, coop {}, coop_columns {}, precision_threshold {}, oscillation_gate {}, matmul_family {}, matmul_variant {}",
                     settings_of_kernels(options), options.text("coop"), options.integer("coop_columns"), options.real("precision_threshold"),
                     options.real("oscillation_gate"), options.text("matmul_family"), options.text("matmul_variant"));
}

DeviceFile device_file(std::string_view kind, uint32_t version, const DeviceInfo& device, std::string_view settings) {
  const std::string about = std::format("daybreak {}\n{} {} {}\n{}{}\n", kind, device.api_name(), device.name, device.uuid_text(), processor_of(device), settings);
  const std::string made_by = std::format("format {}\n{}\n{}{}kernels {}\n", version, device.driver, device.runtime, device.runtime.empty() ? "" : "\n",
                                          device.kind == DBK_DEVICE_CPU ? DAYBREAK_CPU_KERNEL_HASH : DAYBREAK_GPU_KERNEL_HASH);
  const std::string siblings = CacheFolder::file_of(about) + "-";
  return {siblings + CacheFolder::file_of(made_by), siblings, about + made_by};
}

}  // namespace dbk
