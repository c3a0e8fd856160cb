// What compile options and the device ask of passes.
#pragma once

#include "plugin/device.h"
#include "plugin/graph/passes/compile_passes.h"
#include "plugin/options.h"

namespace dbk {

// `measure` runs a trial, whose times the device then knows; null: nothing is measured now.
PassOptions pass_options(Device& device, const Options& options, std::function<void(const Trial&)> measure = nullptr);

}  // namespace dbk
