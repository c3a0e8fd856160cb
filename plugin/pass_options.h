// What compile options and the device ask of passes.
#pragma once

#include "plugin/device.h"
#include "plugin/graph/passes/compile_passes.h"
#include "plugin/options.h"

namespace dbk {

PassOptions pass_options(Device& device, const Options& options);

}  // namespace dbk
