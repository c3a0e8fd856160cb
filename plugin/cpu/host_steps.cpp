#include "plugin/cpu/host_steps.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <set>

#include "plugin/cpu/interpreter.h"
#include "plugin/cpu/thread_limit.h"
#include "plugin/graph/control.h"

namespace dbk {

void HostArenas::fit(const std::vector<uint64_t>& bytes, const std::function<std::string(uint32_t)>& what) {
  memory_.resize(std::max(memory_.size(), bytes.size()));
  sizes_.resize(memory_.size());
  for (uint32_t i = 0; i < bytes.size(); ++i) {
    if (sizes_[i] >= bytes[i]) continue;
    memory_[i] = nullptr;  // the old one first: two at a time may be too many
    sizes_[i] = 0;
    memory_[i] = try_allocate_bytes(bytes[i]);
    if (!memory_[i]) no_memory(bytes[i], what(i));
    sizes_[i] = bytes[i];
    std::memset(memory_[i].get(), 0, bytes[i]);  // pages are touched here, not in the first run
  }
}

uint64_t HostArenas::bytes() const { return std::accumulate(sizes_.begin(), sizes_.end(), uint64_t{0}); }

HostNeeds host_needs(const Graph& graph, const Plan& plan) {
  HostNeeds needs;
  std::set<std::pair<ValueId, Layout>> packed;
  const auto type_of = [&](ValueId v) { return v == DBK_NONE ? TensorType{} : plan.types[v]; };
  for (const Segment& segment : plan.segments) {
    for (uint32_t i = segment.first; segment.on_host && i < segment.first + segment.count; ++i) {
      const Node& node = graph.main().nodes[plan.order[i]];
      if (control_of(node) != Control::None || !all_typed(node, plan.types)) continue;
      std::vector<Tensor> inputs;
      std::vector<TensorType> outputs;
      std::vector<bool> fixed;
      for (ValueId v : node.inputs) {
        inputs.push_back(v != DBK_NONE && plan.types.known[v] ? plan.types.known[v]->view() : Tensor{type_of(v), nullptr});
        fixed.push_back(v != DBK_NONE && plan.host.slots[v].kind == Slot::Kind::Weight);
      }
      for (ValueId v : node.outputs) outputs.push_back(type_of(v));
      HostKernelNeeds kernel = host_kernel_needs(node, inputs, outputs, fixed);
      needs.scratch_bytes = std::max(needs.scratch_bytes, kernel.scratch_bytes);
      if (kernel.packed && packed.emplace(node.inputs[kernel.packed->input], std::move(kernel.packed->layout)).second)
        needs.packed_bytes += kernel.packed->bytes;
    }
  }
  return needs;
}

HostSteps::HostSteps(const Graph& graph, std::shared_ptr<const Plan> plan, const Weights& weights, PackedWeights& packed, BodyPrograms& bodies,
                     HostState& state, Stats& stats)
    : graph_(graph), plan_(std::move(plan)), weights_(weights), arenas_(state.arenas), steps_(plan_->order.size()), late_(graph.values.size()) {
  arenas_.fit(plan_->host.arenas, [&](uint32_t arena) { return largest_values(graph_, *plan_, plan_->host, arena); });
  make_steps(packed, bodies, state, stats);
  uint64_t scratch = 0;
  for (const Step& step : steps_) scratch = std::max(scratch, step.kernel ? step.kernel->scratch_bytes() : 0);
  state.scratch.fit({scratch}, [](uint32_t) { return "intermediates of kernels"; });
  for (Step& step : steps_)
    if (step.kernel && scratch) step.kernel->set_scratch(state.scratch[0]);
  const auto late = std::ranges::find_if(steps_, [](const Step& step) { return step.node && !step.kernel && !step.control; });
  if (late != steps_.end()) first_late_ = &*late;
}

void HostSteps::make_steps(PackedWeights& packed, BodyPrograms& bodies, HostState& state, Stats& stats) {
  for (const Segment& segment : plan_->segments) {
    if (!segment.on_host) continue;
    for (uint32_t i = segment.first; i < segment.first + segment.count; ++i) {
      const uint32_t n = plan_->order[i];
      const FixedInputs fixed = make_step(steps_[i], graph_.main().nodes[n], weights_, packed);
      if (const auto planned = plan_->bodies.find(n); planned != plan_->bodies.end()) {
        std::unique_ptr<PlannedControl>& control = state.controls[n];
        if (!control) control = std::make_unique<PlannedControl>(bodies, graph_, *steps_[i].node, stats);
        control->set_plans(planned->second);
        steps_[i].control = control.get();
      } else if (!plan_->types.late_nodes[n] && control_of(*steps_[i].node) == Control::None) {
        steps_[i].kernel = make_host_kernel(*steps_[i].node, steps_[i].inputs, steps_[i].outputs, fixed);
      }
    }
  }
}

// Resolves the operands; tells which are weights.
FixedInputs HostSteps::make_step(Step& step, const Node& node, const Weights& weights, PackedWeights& packed) {
  step.node = &node;
  step.inputs.resize(node.inputs.size());
  step.outputs.resize(node.outputs.size());
  FixedInputs fixed(packed);
  for (size_t k = 0; k < step.inputs.size(); ++k) {
    resolve_input(step, k, weights);
    if (node.inputs[k] == DBK_NONE) continue;
    if (const Slot& slot = plan_->host.slots[node.inputs[k]]; slot.kind == Slot::Kind::Weight)
      fixed.add(k, {slot.index, slot.offset, weights[slot.index].revision});
  }
  for (size_t k = 0; k < step.outputs.size(); ++k) resolve(step.outputs[k], node.outputs[k], weights);
  return fixed;
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
    case Slot::Kind::Arena: tensor.data = arenas_[slot.index] + slot.offset; break;
    case Slot::Kind::Late: break;  // found or made by its step
    case Slot::Kind::InDevice: patches_.push_back({plan_->device.slots[value], &tensor}); break;
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
  return arenas_[slot.index] + slot.offset;
}

uint64_t HostSteps::late_bytes() const {
  uint64_t bytes = 0;
  for (const LateValue& value : late_)
    if (value.memory) bytes += storage_bytes(value.tensor.type);
  return bytes;
}

void HostSteps::execute_late(Step& step, const RunRequest& request) {
  if (&step == first_late_) std::ranges::fill(late_, LateValue{});  // of the run before
  std::vector<Tensor> inputs = step.inputs;
  std::vector<LateValue> results(step.outputs.size());
  std::vector<bool> wanted;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const ValueId v = step.node->inputs[i]; v != DBK_NONE && plan_->types.late[v]) inputs[i] = late_[v].tensor;
  for (size_t i = 0; i < results.size(); ++i) {
    wanted.push_back(step.node->outputs[i] != DBK_NONE);
    results[i].tensor = step.outputs[i];
  }
  if (control_of(*step.node) != Control::None) Interpreter(weights_, request.cancelled, room_).run_control(graph_, *step.node, inputs, wanted, results);
  else compute_late(*step.node, inputs, wanted, results, room_);
  for (size_t i = 0; i < results.size(); ++i)
    if (const ValueId v = step.node->outputs[i]; v != DBK_NONE && plan_->types.late[v]) late_[v] = std::move(results[i]);
}

bool HostSteps::all_have_kernels() const {
  return std::ranges::all_of(steps_, [](const Step& step) { return !step.node || step.kernel; });
}

void HostSteps::rehearse() noexcept {
  constexpr std::chrono::milliseconds kLongest(100);  // a longer run does not notice what is left
  const auto end = std::chrono::steady_clock::now() + kLongest;
  const auto lacks_memory = [](const Tensor& t) { return t.type.dtype != DBK_DTYPE_NONE && !t.data; };
  for (uint32_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (!step.kernel || std::ranges::any_of(step.inputs, lacks_memory) || std::ranges::any_of(step.outputs, lacks_memory)) {
      if (step.node) start_threads();  // it may want them
      continue;
    }
    if (std::chrono::steady_clock::now() > end) return;
    try {
      execute(i, 1, {});
    } catch (...) {  // an op that refuses these elements
    }
  }
}

void HostSteps::execute(uint32_t first, uint32_t count, const RunRequest& request) {
  room_.set_limit(request.late_room);
  for (uint32_t i = first; i < first + count; ++i) {
    if (request.cancelled && *request.cancelled) fail(DBK_CANCELLED, "the run was cancelled");
    Step& step = steps_[i];
    try {
      if (step.kernel) step.kernel->execute(step.inputs, step.outputs);
      else if (step.control) step.control->execute(step.inputs, step.outputs, request.cancelled, room_.left());
      else execute_late(step, request);
    } catch (Error& e) {
      for (Cause& c : e.causes()) {
        c.message = describe(*step.node) + ": " + c.message;
        if (c.node == DBK_NONE) c.node = step.node->table_index;  // a node of a body knows itself
      }
      throw;
    } catch (const std::bad_alloc&) {
      throw Error(DBK_OUT_OF_MEMORY, describe(*step.node) + ": out of host memory", step.node->table_index);
    }
  }
}

}  // namespace dbk
