// How one node runs on the host: its op's own function, or a library's kernel where there is a faster one.
#pragma once

#include <memory>
#include <span>

#include "plugin/graph/graph.h"

namespace dbk {

class HostKernel {
 public:
  virtual ~HostKernel() = default;
  virtual void execute(std::span<const Tensor> inputs, std::span<Tensor> outputs) = 0;  // allocates nothing
};

// Inputs of a node that are weights: their elements are there when its kernel is made, and stay as they are.
class FixedInputs {
 public:
  void add(size_t i) { bits_ |= i < 32 ? 1u << i : 0; }
  bool contains(size_t i) const { return (bits_ >> i & 1) != 0; }

 private:
  uint32_t bits_ = 0;
};

// The best kernel for a node with these operand types. Never null.
std::unique_ptr<HostKernel> make_host_kernel(const Node& node, std::span<const Tensor> inputs,
                                             std::span<const Tensor> outputs, FixedInputs fixed);

// Its name for reports: "onednn" or "host".
const char* host_kernel_name(const Node& node, std::span<const TensorType> inputs);

}  // namespace dbk
