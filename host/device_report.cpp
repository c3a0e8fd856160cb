// Joins device structs and the device report; see device_report.h.
#include "device_report.h"

#include <array>
#include <utility>

#include "progress.h"
#include "report.h"

namespace host {

using nlohmann::json;

std::string report_of_devices(const daybreak::Context& ctx, const char* kind) {
  ProgressBar bar("measure");
  return ctx.report(kind, [&bar](const daybreak::Progress& progress) {
    bar.show("devices", progress.done, progress.total);
    return true;
  });
}

DeviceReport read_devices(const daybreak::Context& ctx) {
  json details = json::object();
  try {
    details = parse_report(report_of_devices(ctx, "device"));  // first: it may measure, and scores change
  } catch (const daybreak::Error&) {                           // the structs alone will do
  }
  return {ctx.devices(), details};
}

const char* kind_name(uint32_t kind) {
  constexpr std::array names{"unknown", "cpu", "discrete_gpu", "integrated_gpu", "software_gpu", "other"};
  return kind < names.size() ? names[kind] : "unknown";
}

const char* api_name(uint32_t api) {
  constexpr std::array names{"none", "vulkan", "d3d12", "metal", "d3d11", "opengl", "opengles"};
  return api < names.size() ? names[api] : "unknown";
}

std::vector<std::string> feature_names(uint64_t features) {
  constexpr std::array<std::pair<uint64_t, const char*>, 7> names{{
      {DBK_FEATURE_F16, "f16"},
      {DBK_FEATURE_SUBGROUPS, "subgroups"},
      {DBK_FEATURE_SUBGROUP_MATRIX, "subgroup_matrix"},
      {DBK_FEATURE_TIMESTAMPS, "timestamps"},
      {DBK_FEATURE_MAP_IN_PLACE, "map_in_place"},
      {DBK_FEATURE_HOST_POINTER, "host_pointer"},
      {DBK_FEATURE_BORROW, "borrow"},
  }};
  std::vector<std::string> result;
  for (const auto& [bit, name] : names) {
    if (features & bit) result.emplace_back(name);
  }
  return result;
}

json detail_of(const DeviceReport& report, uint32_t index) {
  for (const json& entry : array_in(report.details, "devices")) {
    if (entry.is_object() && entry.value("index", json()) == index) return entry;
  }
  return json::object();
}

uint32_t default_device(const DeviceReport& report) {
  const json index = object_in(report.details, "default").value("index", json());
  return index.is_number_unsigned() ? index.get<uint32_t>() : DBK_NONE;
}

std::string default_missing(const DeviceReport& report) {
  return word_in(object_in(report.details, "default"), "reason");
}

std::string gpu_missing(const DeviceReport& report) {
  const json gpu = object_in(report.details, "gpu");
  return gpu.value("available", json(true)) == false ? word_in(gpu, "reason", "no reason given") : std::string();
}

}  // namespace host
