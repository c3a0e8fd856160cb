#include "plugin/gpu/gpu_program.h"

#include <set>

#include "plugin/cpu/host_kernel.h"
#include "plugin/gpu/gpu_activation.h"
#include "plugin/gpu/node_operands.h"

namespace dbk::gpu {

GpuProgram::~GpuProgram() { stats_.subtract(&Stats::weight_bytes, counted_); }

void GpuProgram::each_panel(const Plan& plan, const std::function<void(ValueId, const TensorType&, const Panel&)>& f) const {
  std::set<std::pair<ValueId, int64_t>> seen;
  const auto visit = [&](ValueId v, const TensorType& type, const Panel& panel) {
    if (seen.insert({v, panel.first << 32 | panel.count}).second) f(v, type, panel);
  };
  for (const Segment& segment : plan.segments) {
    if (segment.on_host) continue;
    for (uint32_t s = segment.first; s < segment.first + segment.count; ++s) {
      const Node& node = graph_->main().nodes[plan.order[s]];
      const NodeOperands operands(*graph_, node, plan.types);
      const TypedNode view = operands.view();
      for (uint32_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId v = node.inputs[i];
        if (v == DBK_NONE || view.values[i] || plan.device.slots[v].kind != Slot::Kind::Weight) continue;
        const ValueId root = plan.device.slots[v].index;
        if (!operands.is_weight(i)) visit(root, plan.types[root], whole(plan.types[root]));  // a view of a weight
        else for (const Panel& p : operands.panels(*find_family(node.op->family), device_.traits().caps, i)) visit(v, plan.types[v], p);
      }
    }
  }
  for (const OutputCopy& copy : plan.copies)
    if (const Slot& slot = plan.device.slots[copy.value]; slot.kind == Slot::Kind::Weight)
      visit(slot.index, plan.types[slot.index], whole(plan.types[slot.index]));
}

std::vector<gpu::Program> GpuProgram::programs(const Plan& plan) const {
  std::vector<gpu::Program> list;
  for (const Segment& segment : plan.segments) {
    if (segment.on_host) continue;
    for (uint32_t s = segment.first; s < segment.first + segment.count; ++s) {
      const Node& node = graph_->main().nodes[plan.order[s]];
      const NodeOperands operands(*graph_, node, plan.types);
      find_family(node.op->family)->programs(operands.view(), device_.traits().caps, list);
    }
  }
  return list;
}

void GpuProgram::prepare(const Plan& plan, const dbk::Weights& weights, const Progress& progress) {
  auto prepared = std::make_shared<Prepared>();
  prepared->host_weights = weights;
  Worker& worker = device_.worker();
  worker.call([&] { prepared->session = device_.session(); });
  upload(plan, *prepared, progress);
  const std::vector<gpu::Program> needed = programs(plan);
  progress(DBK_STAGE_PIPELINES, 0, needed.size());
  worker.call([&] { prepared->session->pipelines->get(needed, stats_, [](uint64_t, uint64_t) {}); });
  progress(DBK_STAGE_PIPELINES, needed.size(), needed.size());
  *current_ = prepared;
  progress(DBK_STAGE_WARM_UP, 0, needed.size());
  if (plan.types.complete) worker.call([&] { rehearse(plan); });
  progress(DBK_STAGE_WARM_UP, needed.size(), needed.size());
}

void GpuProgram::upload(const Plan& plan, Prepared& prepared, const Progress& progress) {
  const uint64_t total = weight_bytes(plan);
  uint64_t done = 0;
  progress(DBK_STAGE_WEIGHTS, 0, total);
  each_panel(plan, [&](ValueId v, const TensorType& type, const Panel& panel) {
    device_.worker().call([&] {
      try {
        prepared.weights[{v, panel.first}] =
            prepared.session->weights.get(prepared.session->device, type, prepared.host_weights[v], panel, stats_);
      } catch (Error& e) {
        for (Cause& c : e.causes()) {
          c.message = std::format("weight {}: {}", describe(*graph_, v), c.message);
          c.value = v;
        }
        throw;
      }
    });
    done += panel_bytes(type, panel);
    progress(DBK_STAGE_WEIGHTS, done, total);
  });
  stats_.add(&Stats::weight_bytes, total);
  stats_.subtract(&Stats::weight_bytes, std::exchange(counted_, total));
}

// Drivers finish compiling at the first dispatch: one workgroup of every launch, on zeroed memory of the right size.
void GpuProgram::rehearse(const Plan& plan) {
  Stats discarded;  // what the rehearsal makes is gone when it ends
  GpuActivation activation(device_, graph_, current_, discarded);
  activation.set_plan(std::make_shared<Plan>(plan), {}, {});
  activation.rehearse();
}

std::unique_ptr<Activation> GpuProgram::activate(Stats& stats) { return std::make_unique<GpuActivation>(device_, graph_, current_, stats); }

uint64_t GpuProgram::weight_bytes(const Plan& plan) const {
  uint64_t bytes = 0;
  each_panel(plan, [&](ValueId, const TensorType& type, const Panel& panel) { bytes += panel_bytes(type, panel); });
  return bytes;
}

std::string GpuProgram::kernel_of(const Plan& plan, uint32_t node) const {
  const Node& n = graph_->main().nodes[node];
  const NodeOperands operands(*graph_, n, plan.types);
  for (const Segment& segment : plan.segments)
    for (uint32_t s = segment.first; s < segment.first + segment.count; ++s)
      if (plan.order[s] == node && segment.on_host)
        return std::string(n.op->id) + "/" + host_kernel_name(n, operands.view().inputs);
  std::vector<gpu::Program> programs;
  std::vector<Dispatch> dispatches;
  const Family* family = find_family(n.op->family);
  family->programs(operands.view(), device_.traits().caps, programs);
  family->launch(operands.view(), device_.traits().caps, dispatches);
  return dispatches.empty() ? "none (empty)" : programs[dispatches.front().program].label;
}

}  // namespace dbk::gpu
