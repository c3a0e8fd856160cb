// What Dawn does not tell of Vulkan: whether there is a driver at all, and a device's uuid, driver name, version and memory budget.
#pragma once

#include "plugin/device.h"

namespace dbk::gpu {

// Asks the Vulkan loader that Dawn uses, through an instance of our own that lives only here: Dawn gives access to its instance only
// with a device, and devices are made when they are first needed. Leaves `info` as it is where the loader does not answer.
void add_vulkan_identity(DeviceInfo& info);

// Empty when there is a Vulkan device, else why not. Asked before Dawn looks, which would print a warning where no driver is found.
std::string why_no_vulkan();

}  // namespace dbk::gpu
