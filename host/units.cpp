// Formatting of quantities; see units.h.
#include "units.h"

#include <array>
#include <format>

namespace host {

std::string bytes_text(uint64_t bytes) {
  if (bytes == 0) return "unknown";
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return unit == 0 ? std::format("{} B", bytes) : std::format("{:.4g} {}", value, units[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds >= 1) return std::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return std::format("{:.3g} ms", seconds * 1e3);
  return std::format("{:.3g} us", seconds * 1e6);
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : separator) + word;
  return result;
}

}  // namespace host
