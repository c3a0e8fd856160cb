// An order in which nodes can run. ONNX demands it of the file, but files do not always have it.
#pragma once

#include <functional>
#include <vector>

#include "node_names.h"

namespace host {

// Indices into `nodes`: every node after those whose outputs it reads, otherwise as in the file. `given`: is a name
// there before any node runs (inputs, initialisers)? Throws daybreak::Error (INVALID_ARGUMENT) naming nodes of the
// cycle where there is no such order.
std::vector<int> node_order(const Nodes& nodes, const std::function<bool(const std::string&)>& given);

// "node 3 'conv1' (Conv)": how messages name a node.
std::string describe(int index, const onnx::NodeProto& node);

}  // namespace host
