// Report "placement": what became of every node of the caller.
#pragma once

#include "plugin/executable.h"
#include "plugin/json.h"

namespace dbk {

// `exact`: whether runs have this very plan.
Json placement_report(Executable& exec, const Plan& plan, bool exact);

}  // namespace dbk
