// Which adapter is which: Dawn and the Vulkan loader each have a list of the machine's, with nothing in common but ids of the model and the
// order in which drivers name their devices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace dbk::gpu {

struct AdapterModel {
  uint32_t api, vendor, device;

  bool operator==(const AdapterModel&) const = default;
};

// The place in `devices` of adapter number `position`: of several of one model the one with as many of that model before it. nullopt: it is not there.
std::optional<size_t> device_of_adapter(std::span<const AdapterModel> adapters, size_t position, std::span<const AdapterModel> devices);

struct AdapterIdentity {
  AdapterModel model;
  std::string driver;  // as Dawn tells it

  bool operator==(const AdapterIdentity&) const = default;
};

// Empty, or why an adapter that is found where another was listed is not that one. Two of one model with one driver cannot be told apart.
std::string refuse_identity(const AdapterIdentity& listed, const AdapterIdentity& found);

}  // namespace dbk::gpu
