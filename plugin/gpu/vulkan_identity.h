// What Dawn does not tell of Vulkan: whether there is a driver at all, and a device's uuid, driver name, version and memory budget.
#pragma once

#include "plugin/device.h"

namespace dbk::gpu {

// Asks the Vulkan loader that Dawn uses, through an instance of our own that lives only here: Dawn gives access to its instance only
// with a device, and devices are made when they are first needed. `adapters`: all that Dawn lists, in its order, which is the loader's for
// those of one model; those of other interfaces stay as they are, and all where the loader does not answer.
void add_vulkan_identities(std::span<DeviceInfo* const> adapters);

// Empty when there is a Vulkan device, else why not. Asked before Dawn looks, which would print a warning where no driver is found.
std::string why_no_vulkan();

}  // namespace dbk::gpu
