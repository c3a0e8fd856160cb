// The device of a compile, and why.
#pragma once

#include "plugin/context.h"
#include "plugin/graph/graph.h"

namespace dbk {

// Where nothing but the rank of the devices has decided: the one on which this graph should take the least time, if that can be said of all
// that the policy leaves. Else what was chosen stays, with the reason why. Equal figures give equal choices.
DeviceChoice choose_for_graph(Context& context, const Graph& graph, const Options& compile, DeviceChoice by_rank);

}  // namespace dbk
