// Report "placement": what became of every node of the caller.
#pragma once

#include <nlohmann/json.hpp>

#include "plugin/executable.h"

namespace dbk {

nlohmann::ordered_json placement_report(Executable& exec, const Plan& plan);

}  // namespace dbk
