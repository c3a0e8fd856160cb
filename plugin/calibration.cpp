#include "plugin/calibration.h"

#include <omp.h>

#include <algorithm>
#include <charconv>

namespace dbk {

namespace {

constexpr uint64_t kMaxBytes = 1 << 20;
// Raised where a figure changes its meaning, or a new one has to be there; one that may be absent is a line more.
constexpr uint32_t kVersion = 2;

std::string text_of(const DeviceRates& rates) {
  std::string text;
  for (const RateField& field : kRateFields)
    if (const double value = rates.*field.value; value > 0 || !field.optional) text += std::format("{} {}\n", field.name, value);
  return text;
}

// "NAME VALUE", and nothing else.
struct Line {
  std::string_view name;
  double value = 0;
};

std::optional<Line> line_of(std::string_view text) {
  const size_t space = text.find(' ');
  if (space == text.npos) return std::nullopt;
  Line line{text.substr(0, space)};
  const auto [end, error] = std::from_chars(text.data() + space + 1, text.data() + text.size(), line.value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(line) : std::nullopt;
}

// In any order. Figures of which nothing is known here are of a later plugin, and do not matter.
std::optional<DeviceRates> rates_of(std::string_view text) {
  DeviceRates rates;
  while (!text.empty()) {
    const size_t length = text.find('\n');
    const std::optional<Line> line = line_of(text.substr(0, length));
    if (!line || length == text.npos) return std::nullopt;
    const auto field = std::ranges::find(kRateFields, line->name, [](const RateField& f) { return std::string_view(f.name); });
    if (field != std::end(kRateFields)) rates.*field->value = line->value;
    text.remove_prefix(length + 1);
  }
  return plausible(rates) ? std::optional(rates) : std::nullopt;
}

}  // namespace

CalibrationFiles::CalibrationFiles(const Options& options, const Log& log)
    : setting_(settings_of_choices(options)),
      threads_(options.integer("threads") ? options.integer("threads") : omp_get_max_threads()),
      folder_(options.text("calibration") == "off" ? "" : cache_path(options), "calibration", kMaxBytes, log), log_(log) {}

DeviceFile CalibrationFiles::file_of(const DeviceInfo& device) const {
  return device_file("calibration", kVersion, device, device.kind == DBK_DEVICE_CPU ? std::format("{} threads", threads_) : setting_);
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
