#include "plugin/cpu/host_steps.h"

#include <cstring>

namespace dbk {

HostSteps::HostSteps(const Graph& graph, std::shared_ptr<const Plan> plan, const Weights& weights)
    : graph_(graph), plan_(std::move(plan)), steps_(plan_->order.size()) {
  for (uint64_t bytes : plan_->host.arenas) {
    arenas_.push_back(allocate_bytes(bytes));
    std::memset(arenas_.back().get(), 0, bytes);  // pages are touched here, not in the first run
    arena_bytes_ += bytes;
  }
  for (const Segment& segment : plan_->segments) {
    if (!segment.on_host) continue;
    for (uint32_t i = segment.first; i < segment.first + segment.count; ++i) {
      Step& step = steps_[i];
      step.node = &graph_.main().nodes[plan_->order[i]];
      step.inputs.resize(step.node->inputs.size());
      step.outputs.resize(step.node->outputs.size());
      FixedInputs fixed;
      for (size_t k = 0; k < step.inputs.size(); ++k) {
        const ValueId value = step.node->inputs[k];
        resolve_input(step, k, weights);
        if (value != DBK_NONE && plan_->host.slots[value].kind == Slot::Kind::Weight) fixed.add(k);
      }
      for (size_t k = 0; k < step.outputs.size(); ++k) resolve(step.outputs[k], step.node->outputs[k], weights);
      step.kernel = make_host_kernel(*step.node, step.inputs, step.outputs, fixed);
    }
  }
}

// Operands that no memory of the run is read for have the elements that inference knew, if any.
void HostSteps::resolve_input(Step& step, size_t i, const Weights& weights) {
  const ValueId value = step.node->inputs[i];
  if (value == DBK_NONE || reads_memory(*step.node, i, plan_->types)) return resolve(step.inputs[i], value, weights);
  step.inputs[i].type = plan_->types[value];
  if (const auto& known = plan_->types.known[value]) step.inputs[i] = known->view();
}

void HostSteps::resolve(Tensor& tensor, ValueId value, const Weights& weights) {
  if (value == DBK_NONE) return;
  tensor.type = plan_->types[value];
  const Slot& slot = plan_->host.slots[value];
  switch (slot.kind) {
    case Slot::Kind::Arena: tensor.data = arenas_[slot.index].get() + slot.offset; break;
    case Slot::Kind::Weight: tensor.data = const_cast<std::byte*>(weights[slot.index].data) + slot.offset; break;
    default: patches_.push_back({slot, &tensor});
  }
}

void HostSteps::set_address(Slot::Kind kind, uint32_t index, std::byte* memory) {
  for (Patch& p : patches_)
    if (p.slot.kind == kind && p.slot.index == index) p.tensor->data = memory + p.slot.offset;
}

std::byte* HostSteps::address(ValueId value) const {
  const Slot& slot = plan_->host.slots[value];
  return arenas_[slot.index].get() + slot.offset;
}

void HostSteps::execute(uint32_t first, uint32_t count, const std::atomic<bool>* cancelled) {
  for (uint32_t i = first; i < first + count; ++i) {
    if (cancelled && *cancelled) fail(DBK_CANCELLED, "the run was cancelled");
    Step& step = steps_[i];
    try {
      step.kernel->execute(step.inputs, step.outputs);
    } catch (Error& e) {
      for (Cause& c : e.causes()) {
        c.message = describe(*step.node) + ": " + c.message;
        c.node = step.node->table_index;
      }
      throw;
    }
  }
}

}  // namespace dbk
