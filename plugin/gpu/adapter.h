// What an adapter is and can do, read before any device exists.
#pragma once

#include "plugin/device.h"
#include "plugin/gpu/adapter_identity.h"
#include "plugin/gpu/dawn_instance.h"
#include "plugin/gpu/family.h"
#include "plugin/options.h"

namespace dbk::gpu {

struct AdapterTraits {
  AdapterIdentity identity;
  DeviceInfo info;
  Capabilities caps;
  wgpu::Limits limits;
  std::vector<wgpu::FeatureName> features;  // to request
  uint64_t storage_alignment = 256, uniform_alignment = 256;
  uint64_t view_alignment = 256;  // of a binding that begins inside a value: the adapter's own limit
  bool map_in_place = false;
  bool shared_memory = false;  // the host works where the device has its values
};

AdapterIdentity identity_of(const wgpu::Adapter& adapter);

// All that the instance lists, in its order.
std::vector<AdapterTraits> read_adapters(std::span<const wgpu::Adapter> adapters, const Options& options);

}  // namespace dbk::gpu
