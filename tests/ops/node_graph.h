// A graph of one node, which is called "node under test".
#pragma once

#include <vector>

#include "daybreak.hpp"
#include "tests/ops/op_case.h"

namespace ops {

struct NodeGraph {
  daybreak::GraphBuilder builder;
  std::vector<size_t> bound;  // operand of each graph input
};

// Weights borrow their bytes from `inputs`.
NodeGraph node_graph(const dbk::OpRow& row, const OpCase& test, const std::vector<dbk::HostTensor>& inputs);

daybreak::Attr attr_of(daybreak::GraphBuilder& graph, const dbk::Attribute& attribute);

}  // namespace ops
