// Where the commands of a run are handed to the device in several submissions. Systems take a device for hung that works on one for seconds,
// and a submission is not cancelled. A step is never cut.
#pragma once

#include "plugin/graph/plan.h"

namespace dbk::gpu {

// Steps of the plan, ascending, that begin a submission of their own, besides those that follow a part on the host.
std::vector<uint32_t> submission_cuts(const Graph& graph, const Plan& plan);

}  // namespace dbk::gpu
