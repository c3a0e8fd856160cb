// Measures a device by running small graphs on it, as a host would: round trip, kernels, transfers, memory and products of each arithmetic that
// the device has. Takes some tenths of a second, most of it for compiling kernels.
#pragma once

#include "plugin/context.h"

namespace dbk {

// Throws what keeps the device from running. Calls `go_on` now and then, which may throw to stop it. Counts in no statistics of the context.
DeviceRates measure_device(Context& context, uint32_t device, const std::function<void()>& go_on);

}  // namespace dbk
