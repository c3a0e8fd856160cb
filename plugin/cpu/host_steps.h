// The nodes of a plan that run on the host, ready to execute: operands resolved to addresses, kernels chosen. Used by the CPU device for
// whole graphs and by GPU runs for the parts their device cannot do.
#pragma once

#include <atomic>

#include "plugin/cpu/host_kernel.h"
#include "plugin/device.h"

namespace dbk {

class HostSteps {
 public:
  // Makes steps for every host segment of the plan and memory for its host arenas. Weights stay where they are.
  HostSteps(const Graph& graph, std::shared_ptr<const Plan> plan, const Weights& weights);

  // Address of an input or output buffer (host-only plans). Must be set before execute.
  void set_address(Slot::Kind kind, uint32_t index, std::byte* memory);
  // Address of a value in the host arenas, for transfers.
  std::byte* address(ValueId value) const;

  // Runs steps [first, first + count) of the plan. Throws the op's failure with the node's name, or CANCELLED.
  void execute(uint32_t first, uint32_t count, const std::atomic<bool>* cancelled);

  uint64_t bytes() const { return arena_bytes_; }

 private:
  struct Step {
    const Node* node = nullptr;
    std::vector<Tensor> inputs, outputs;
    std::unique_ptr<HostKernel> kernel;
  };
  struct Patch {  // an operand whose address comes with a binding
    Slot slot;
    Tensor* tensor;
  };

  void resolve_input(Step& step, size_t i, const Weights& weights);
  void resolve(Tensor& tensor, ValueId value, const Weights& weights);

  const Graph& graph_;
  std::shared_ptr<const Plan> plan_;
  std::vector<std::shared_ptr<std::byte[]>> arenas_;
  uint64_t arena_bytes_ = 0;
  std::vector<Step> steps_;  // by position in Plan::order; empty for device steps
  std::vector<Patch> patches_;
};

}  // namespace dbk
