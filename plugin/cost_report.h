// Report "cost": what each step of a plan has to do, and how long that should take by what was measured of the devices.
#pragma once

#include "plugin/executable.h"
#include "plugin/json.h"

namespace dbk {

// DeviceRates as reports show them; null where nothing was measured.
Json rates_json(const std::optional<DeviceRates>& rates);

Json cost_report(Executable& exec, const Plan& plan, bool exact);

}  // namespace dbk
