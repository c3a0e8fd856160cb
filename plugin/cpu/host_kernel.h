// How one node runs on the host: its op's own function, or a library's kernel where there is a faster one.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "plugin/cpu/packed_weights.h"
#include "plugin/graph/graph.h"

namespace dbk {

class HostKernel {
 public:
  virtual ~HostKernel() = default;
  // Memory for intermediates, set before execute, which alone uses it: kernels that run one after the other may share it.
  virtual uint64_t scratch_bytes() const { return 0; }
  virtual void set_scratch(std::byte*) {}
  virtual size_t epilogue_steps(size_t /*output*/) const { return 0; }  // first steps of the node's epilogue that execute computes, too
  virtual void execute(std::span<const Tensor> inputs, std::span<Tensor> outputs) = 0;  // allocates nothing
};

// Inputs of a node that are weights: their elements are there when its kernel is made, and stay as they are while it is used. Without a
// store nothing is fixed.
class FixedInputs {
 public:
  FixedInputs() = default;
  explicit FixedInputs(PackedWeights& store) : store_(&store) {}
  void add(size_t input, const WeightId& weight) { weights_.emplace_back(input, weight); }
  const WeightId* find(size_t input) const;  // null where it is none
  PackedWeights& store() const { return *store_; }

 private:
  PackedWeights* store_ = nullptr;
  std::vector<std::pair<size_t, WeightId>> weights_;
};

// What the kernel of a node takes beside its operands.
struct HostKernelNeeds {
  uint64_t scratch_bytes = 0;
  struct Packed {  // a weight that is stored in another order
    size_t input;
    Layout layout;
    uint64_t bytes;
  };
  std::optional<Packed> packed;
};

// The best kernel for a node with these operand types. Never null.
std::unique_ptr<HostKernel> make_host_kernel(const Node& node, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                                             const FixedInputs& fixed);

// What it would need; nothing is made. Of the inputs' data only that of shape inputs is looked at. `fixed` tells by input which are weights.
HostKernelNeeds host_kernel_needs(const Node& node, std::span<const Tensor> inputs, std::span<const TensorType> outputs,
                                  const std::vector<bool>& fixed);

// Makes and runs it once; allocates.
void run_host_kernel(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

// Its name for reports: "onednn" or "host".
const char* host_kernel_name(const Node& node, std::span<const TensorType> inputs);

}  // namespace dbk
