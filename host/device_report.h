// What the plugin says about devices: the fixed structs of the ABI joined with report "device" (JSON).
// The report may lack any field; the structs always answer.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "daybreak_context.hpp"

namespace host {

struct DeviceReport {
  std::vector<daybreak::DeviceInfo> devices;
  nlohmann::json details;  // report "device", or an empty object
};

// Report "device" or "calibration"; where that measures devices, progress is shown.
std::string report_of_devices(const daybreak::Context& ctx, const char* kind);

DeviceReport read_devices(const daybreak::Context& ctx);

const char* kind_name(uint32_t kind);  // "cpu", "discrete_gpu" ...
const char* api_name(uint32_t api);    // "vulkan" ...
std::vector<std::string> feature_names(uint64_t features);

// The report's entry for this device, or an empty object.
nlohmann::json detail_of(const DeviceReport& report, uint32_t index);

// The device that is used where none is chosen, or DBK_NONE; then default_missing says why there is none.
uint32_t default_device(const DeviceReport& report);
std::string default_missing(const DeviceReport& report);

// Why there is no GPU at all, or empty.
std::string gpu_missing(const DeviceReport& report);

}  // namespace host
