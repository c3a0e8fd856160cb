// Options that cannot all be meant: one would silently have no effect. Refused when they are given, whatever the device.
#pragma once

#include "plugin/options.h"

namespace dbk {

// Each throws INVALID_ARGUMENT that names both options, and the environment variable where one has set them.
void check_context_options(const Options& context);
void check_compile_options(const Options& compile, const Options& context);

}  // namespace dbk
