#include "plugin/calibration.h"

#include <omp.h>

#include <charconv>

namespace dbk {

namespace {

constexpr uint64_t kMaxBytes = 1 << 20;

std::string text_of(const DeviceRates& rates) {
  std::string text;
  for (const RateField& field : kRateFields) text += std::format("{} {}\n", field.name, rates.*field.value);
  return text;
}

// Every field once, in order, and nothing else.
std::optional<DeviceRates> rates_of(std::string_view text) {
  DeviceRates rates;
  for (const RateField& field : kRateFields) {
    const std::string start = std::string(field.name) + " ";
    if (!text.starts_with(start)) return std::nullopt;
    text.remove_prefix(start.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rates.*field.value);
    if (error != std::errc() || end == text.data() + text.size() || *end != '\n') return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end + 1 - text.data()));
  }
  return text.empty() && plausible(rates) ? std::optional(rates) : std::nullopt;
}

}  // namespace

CalibrationFiles::CalibrationFiles(const Options& options, const Log& log)
    : setting_(std::format("{}kernels {}, products {}", options.flag("validation") ? "validation, " : "", options.text("kernels"),
                           options.text("matmul_family") + options.text("matmul_variant") + (options.text("coop") == "1" ? "" : ", coop " + options.text("coop")))),
      threads_(options.integer("threads") ? options.integer("threads") : omp_get_max_threads()),
      folder_(options.text("calibration") == "off" ? "" : cache_path(options), "calibration", kMaxBytes, log), log_(log) {}

DeviceFile CalibrationFiles::file_of(const DeviceInfo& device) const {
  return device_file("calibration 1", device, device.kind == DBK_DEVICE_CPU ? std::format("{} threads", threads_) : setting_);
}

std::optional<DeviceRates> CalibrationFiles::load(const DeviceInfo& device) {
  const std::optional<std::string> text = file_of(device).load(folder_);
  if (!text) return std::nullopt;
  const std::optional<DeviceRates> rates = rates_of(*text);
  if (!rates) log_(DBK_LOG_WARNING, "calibration of {} is ignored: its figures cannot be read", device.name);
  return rates;
}

void CalibrationFiles::store(const DeviceInfo& device, const DeviceRates& rates) {
  file_of(device).store(folder_, text_of(rates));
}

}  // namespace dbk
