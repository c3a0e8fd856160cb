#include "tests/ops/device_list.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace ops {

namespace {

daybreak::Plugin load() {
  const char* path = std::getenv("DAYBREAK_PLUGIN");
  if (!path) throw daybreak::Error(DBK_INVALID_ARGUMENT, "DAYBREAK_PLUGIN does not name the plugin to test");
  return daybreak::Plugin::load(path);
}

daybreak::Options options_for(const std::string& kind) {
  daybreak::Options options;
  if (kind == "cpu")
    options.set("gpu", false);
  else
    options.set("validation", kind == "gpu" || kind == "hardware");
  if (kind.starts_with("hardware")) options.set("kernels", "hardware");
  return options;
}

}  // namespace

bool is_cpu(const daybreak::DeviceInfo& device) { return device.kind == DBK_DEVICE_CPU; }

DeviceList::DeviceList(const std::string& kind) : kind_(kind), context_(load(), options_for(kind)) {
  for (daybreak::DeviceInfo& device : context_.devices())
    if (device.usable() && is_cpu(device) == (kind == "cpu")) devices_.push_back(std::move(device));
}

int DeviceList::exit_code_without_device() const {
  const bool required = std::getenv("CI") || std::getenv("DAYBREAK_REQUIRE_GPU");
  const auto missing = [&](const std::string& what) {
    std::printf("%s: no usable %s device%s: %s\n", required ? "FAIL" : "SKIP", kind_.c_str(), what.c_str(), context_.report("device").c_str());
    return required ? EXIT_FAILURE : kSkipped;
  };
  if (devices_.empty()) return missing("");
  const char* forced = std::getenv("DAYBREAK_MATMUL_FAMILY");
  const auto has_matrices = [](const daybreak::DeviceInfo& device) { return device.has(DBK_FEATURE_SUBGROUP_MATRIX); };
  const bool coop = forced && std::string_view(forced) == "coop" && kind_ != "cpu";
  return coop && std::ranges::none_of(devices_, has_matrices) ? missing(" with matrices of subgroups") : 0;
}

}  // namespace ops
