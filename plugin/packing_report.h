// How well arenas are packed: their bytes against the largest set of values alive at one time, and where they are more than 1.15 times
// as large, the values that make each arena as large as it is.
#pragma once

#include "plugin/executable.h"
#include "plugin/json.h"

namespace dbk {

Json packing_report(Executable& exec, const Plan& plan);

}  // namespace dbk
