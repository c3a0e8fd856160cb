// Values whose shape only the run tells, and how a node around them is computed: its shape rule is asked with the operands at hand,
// memory is made for what it says, then its kernel runs. Runs that do this allocate; others do not.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>

#include "plugin/graph/graph.h"

namespace dbk {

// The bytes that what a run makes may take together; copies share them. One made without a number has no end and counts nothing.
class LateRoom {
 public:
  LateRoom() = default;
  explicit LateRoom(uint64_t bytes) : use_(std::make_shared<Use>(Use{bytes})) {}

  void set_limit(uint64_t bytes) { use_->limit = bytes; }  // of one made with a number
  uint64_t left() const { return !use_ ? UINT64_MAX : use_->limit - std::min(use_->taken, use_->limit); }
  // Memory that is counted as long as anybody has it. Throws OUT_OF_MEMORY before it is made where it is too much; `what` tells what it is for.
  std::shared_ptr<std::byte[]> allocate(uint64_t bytes, const std::function<std::string()>& what) const;

 private:
  struct Use {
    uint64_t limit, taken = 0;
  };
  std::shared_ptr<Use> use_;
};

struct LateValue {
  Tensor tensor;                        // dtype NONE: not made yet, or nobody wants it
  std::shared_ptr<std::byte[]> memory;  // null where the tensor lies in memory of somebody else
};

// Memory for a value of that type.
LateValue make_late_value(const TensorType& type, const LateRoom& room = {});

// Computes the node. A result with a tensor that has memory is written there, and must be of that type; the others are made. `wanted`
// tells which results anybody reads.
void compute_late(const Node& node, std::span<const Tensor> inputs, const std::vector<bool>& wanted, std::span<LateValue> results,
                  const LateRoom& room);

}  // namespace dbk
