// Runs that no memory of the machine holds are refused when they are planned: once memory is promised but not there, the system ends the
// process.
#pragma once

#include "plugin/device.h"

namespace dbk {

// Why no run of the plan can have the memory it needs, with the largest values; empty where one may. Bodies are not looked at.
std::string refuse_memory(Device& device, const Graph& graph, const Plan& plan);

}  // namespace dbk
