// The device of a compile, and why.
#pragma once

#include "plugin/context.h"
#include "plugin/graph/infer.h"

namespace dbk {

// Where nothing but the rank of the devices has decided: the one on which this graph should take the least time, if that can be said of all
// that the policy leaves. Else what was chosen stays, with the reason why. Equal figures give equal choices.
// `inferred`: the graph's types at its representative extents, where they were wanted: they are the same for every device, and for the compile.
DeviceChoice choose_for_graph(Context& context, const Graph& graph, const Options& compile, DeviceChoice by_rank, std::optional<Types>& inferred);

}  // namespace dbk
