// What compile options and the device ask of passes.
#pragma once

#include "plugin/device.h"
#include "plugin/graph/passes/compile_passes.h"
#include "plugin/options.h"

namespace dbk {

// `measure` gets the trial of every layer whose form is open and runs it where it is worth it; the device then knows the times. Null:
// nothing is measured now.
PassOptions pass_options(Device& device, const Options& options, std::function<void(const Trial&)> measure = nullptr);

}  // namespace dbk
