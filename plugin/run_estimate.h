// How long one run of a graph should take on a device, from what was measured of it: for report "cost", and for the device of a compile that
// names none.
#pragma once

#include "plugin/cost_model.h"
#include "plugin/device.h"
#include "plugin/options.h"

namespace dbk {

// A step of a plan and what it has to do, as far as its types are known before the run.
struct PlannedWork {
  const Node& node;
  bool on_host;
  Work work;
};
std::vector<PlannedWork> work_of(const Graph& graph, const Plan& plan);

// Of a run with this plan, in which inputs go up and outputs come down: kernels one after the other, a round trip for each segment of the
// device, what the host computes in between by the figures of the CPU, and the values that cross. Bodies count once, however often they run.
double microseconds_of(const Graph& graph, const Plan& plan, const DeviceRates& device, const DeviceRates& cpu);

// The types of a graph as compile begins with it, at its representative extents. Throws what keeps every device from running it, or from knowing
// its shapes before inputs are bound.
Types types_to_estimate(const Graph& graph);

// The same as microseconds_of for such a graph with those types: rewritten and placed as the device and the options would have it. Throws what
// keeps the device from running it.
double estimate_run(Device& device, Graph graph, Types types, const Options& options, const DeviceRates& rates, const DeviceRates& cpu);

}  // namespace dbk
