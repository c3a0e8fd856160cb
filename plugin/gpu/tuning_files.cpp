#include "plugin/gpu/tuning_files.h"

namespace dbk::gpu {

namespace {

constexpr uint64_t kMaxBytes = 4 << 20;
constexpr uint32_t kVersion = 1;

}  // namespace

TuningFiles::TuningFiles(const Options& options, const Log& log)
    : settings_(settings_of_kernels(options)),
      folder_(options.text("autotune") == "off" ? "" : cache_path(options), "tuning", kMaxBytes, log), log_(log) {}

DeviceFile TuningFiles::file_of(const DeviceInfo& device) const { return device_file("tuning", kVersion, device, settings_); }

TunedProducts TuningFiles::load(const DeviceInfo& device) { return parsed(file_of(device).load(folder_), device); }

TunedProducts TuningFiles::parsed(const std::optional<std::string>& text, const DeviceInfo& device) {
  if (!text) return {};
  std::optional<TunedProducts> products = TunedProducts::parse(*text);
  if (!products) log_(DBK_LOG_WARNING, "what was measured of the kernels of {} is ignored: it cannot be read", device.name);
  return products ? *std::move(products) : TunedProducts{};
}

void TuningFiles::store(const DeviceInfo& device, const TunedProducts& products) {
  if (!folder_.on()) return;
  TunedProducts theirs;
  file_of(device).update(folder_, [&](const std::optional<std::string>& there) {
    theirs.add(parsed(there, device));
    TunedProducts all = theirs;
    all.add(products);
    return all.text();
  });
}

}  // namespace dbk::gpu
