#include "plugin/gpu/adapter_identity.h"

#include <algorithm>
#include <format>

namespace dbk::gpu {

std::optional<size_t> device_of_adapter(std::span<const AdapterModel> adapters, size_t position, std::span<const AdapterModel> devices) {
  auto before = std::ranges::count(adapters.first(position), adapters[position]);
  for (size_t i = 0; i < devices.size(); ++i)
    if (devices[i] == adapters[position] && before-- == 0) return i;
  return std::nullopt;
}

std::string refuse_identity(const AdapterIdentity& listed, const AdapterIdentity& found) {
  if (found == listed) return {};
  const auto told = [](const AdapterIdentity& id) { return std::format("vendor {:#x}, device {:#x}, driver '{}'", id.model.vendor, id.model.device, id.driver); };
  if (found.model.api != listed.model.api) return "an adapter of another interface is in its place";
  return std::format("another adapter is in its place: {} instead of {}", told(found), told(listed));
}

}  // namespace dbk::gpu
