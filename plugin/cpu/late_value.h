// Values whose shape only the run tells, and how a node around them is computed: its shape rule is asked with the operands at hand,
// memory is made for what it says, then its kernel runs. Runs that do this allocate; others do not.
#pragma once

#include <atomic>

#include "plugin/graph/graph.h"

namespace dbk {

struct LateValue {
  Tensor tensor;                        // dtype NONE: not made yet, or nobody wants it
  std::shared_ptr<std::byte[]> memory;  // null where the tensor lies in memory of somebody else
};

// Memory for a value of that type.
LateValue make_late_value(const TensorType& type);

// Computes the node. A result with a tensor that has memory is written there, and must be of that type; the others are made. `wanted`
// tells which results anybody reads.
void compute_late(const Node& node, std::span<const Tensor> inputs, const std::vector<bool>& wanted, std::span<LateValue> results);

}  // namespace dbk
