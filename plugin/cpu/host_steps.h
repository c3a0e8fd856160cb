// The nodes of a plan that run on the host, ready to execute: operands resolved to addresses, kernels chosen. Used by the CPU device for
// whole graphs and by GPU runs for the parts their device cannot do.
#pragma once

#include <atomic>

#include "plugin/cpu/host_kernel.h"
#include "plugin/cpu/planned_control.h"
#include "plugin/device.h"

namespace dbk {

// Memory of host arenas; only grows, so that another plan of the same size finds it there.
class HostArenas {
 public:
  // `what` tells what the arena of a number holds, where there is no memory for it.
  void fit(const std::vector<uint64_t>& bytes, const std::function<std::string(uint32_t)>& what);
  std::byte* operator[](uint32_t i) const { return memory_[i].get(); }
  uint64_t bytes() const;

 private:
  std::vector<std::shared_ptr<std::byte[]>> memory_;
  std::vector<uint64_t> sizes_;
};

// What host steps keep from one plan to the next.
struct HostState {
  HostArenas arenas;
  HostArenas scratch;                                            // one, for all kernels
  std::map<uint32_t, std::unique_ptr<PlannedControl>> controls;  // by node
  uint64_t bytes() const { return arenas.bytes() + scratch.bytes(); }
};

// What the host steps of a plan take beside its arenas, bodies excluded.
struct HostNeeds {
  uint64_t scratch_bytes = 0, packed_bytes = 0;
};
HostNeeds host_needs(const Graph& graph, const Plan& plan);

class HostSteps {
 public:
  // Makes steps for every host segment of the plan and memory for its host arenas. Weights stay where they are, and outlive this.
  HostSteps(const Graph& graph, std::shared_ptr<const Plan> plan, const Weights& weights, PackedWeights& packed, BodyPrograms& bodies,
            HostState& state, Stats& stats);

  // Address of an input or output buffer of a host-only plan, or of a buffer of the device that holds values which are InDevice. Must be set
  // before the steps that use them are executed.
  void set_address(Slot::Kind kind, uint32_t index, std::byte* memory);
  // Address of a value in the host arenas, for transfers.
  std::byte* address(ValueId value) const;
  // A late value as the last run made it.
  const Tensor& late(ValueId value) const { return late_[value].tensor; }

  // Runs steps [first, first + count) of the plan. Throws the op's failure with the node's name, or CANCELLED; OUT_OF_MEMORY where late values
  // take more than the request allows.
  void execute(uint32_t first, uint32_t count, const RunRequest& request);
  // Bytes of the late values that the last run left.
  uint64_t late_bytes() const;

  // Whether there are neither bodies nor late values.
  bool all_have_kernels() const;
  // Runs what needs no more than memory, on whatever is there, so that threads are started, pages touched and code loaded before the first
  // run; stops after a while. Failures do not matter. Every address must be set.
  void rehearse() noexcept;

 private:
  struct Step {
    const Node* node = nullptr;
    std::vector<Tensor> inputs, outputs;
    std::unique_ptr<HostKernel> kernel;
    PlannedControl* control = nullptr;  // of a node with bodies; neither: a node around late values
  };
  struct Patch {  // an operand whose address comes with a binding
    Slot slot;
    Tensor* tensor;
  };

  void make_steps(PackedWeights& packed, BodyPrograms& bodies, HostState& state, Stats& stats);
  FixedInputs make_step(Step& step, const Node& node, const Weights& weights, PackedWeights& packed);
  void resolve_input(Step& step, size_t i, const Weights& weights);
  void resolve(Tensor& tensor, ValueId value, const Weights& weights);
  void execute_late(Step& step, const RunRequest& request);

  const Graph& graph_;
  std::shared_ptr<const Plan> plan_;
  const Weights& weights_;
  HostArenas& arenas_;
  std::vector<Step> steps_;  // by position in Plan::order; empty for device steps
  std::vector<Patch> patches_;
  LateRoom room_{UINT64_MAX};
  std::vector<LateValue> late_;  // by value id
  const Step* first_late_ = nullptr;  // of those that make late values or interpret bodies
};

}  // namespace dbk
