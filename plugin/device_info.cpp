#include <format>

#include "plugin/device.h"

namespace dbk {

const char* DeviceInfo::api_name() const {
  constexpr const char* kNames[] = {"none", "vulkan", "d3d12", "metal", "d3d11", "opengl", "opengles"};
  return api < std::size(kNames) ? kNames[api] : "other";
}

std::string DeviceInfo::uuid_text() const {
  std::string text;
  for (uint8_t byte : uuid) text += std::format("{:02x}", byte);
  return text;
}

}  // namespace dbk
