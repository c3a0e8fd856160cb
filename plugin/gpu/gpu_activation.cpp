// Memory and launches of a run: everything made at bind. Execution is in gpu_execute.cpp.
#include "plugin/gpu/gpu_activation.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "plugin/gpu/gpu_buffer.h"
#include "plugin/gpu/node_operands.h"
#include "plugin/gpu/submission_cuts.h"

namespace dbk::gpu {

namespace {

constexpr uint64_t kLargestCompared = 64u << 20;  // bytes: the copy is memory of the host

uint64_t round_up(uint64_t bytes, uint64_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

}  // namespace

GpuActivation::GpuActivation(GpuDevice& device, std::shared_ptr<const Graph> graph,
                             Current<Prepared> current, PackedWeights& packed, BodyPrograms& bodies, Stats& stats)
    : gpu_(device), graph_(std::move(graph)), current_(std::move(current)), packed_(packed), bodies_(bodies), stats_(stats) {}

GpuActivation::~GpuActivation() {
  stats_.subtract(&Stats::activation_bytes, counted_);
  stats_.subtract(&Stats::staging_bytes, counted_staging_);
}

void GpuActivation::set_plan(std::shared_ptr<const Plan> plan, std::span<const IoBinding> inputs, std::span<const IoBinding> outputs) {
  host_steps_.reset();  // before the weights it refers to
  prepared_ = current_->load();
  if (!prepared_) fail(DBK_FAILED_PRECONDITION, "the executable is destroyed");
  device_ = prepared_->session->device;
  device_->check();
  plan_ = std::move(plan);
  has_late_ = std::ranges::find(plan_->types.late, true) != plan_->types.late.end();
  find_shared();
  allocate(inputs, outputs);
  build_launches();
  cuts_ = submission_cuts(*graph_, *plan_);
  clear_new_buffers();
  count_bytes();
}

void GpuActivation::grow(wgpu::Buffer& buffer, uint64_t bytes, wgpu::BufferUsage usage, const char* label,
                         const std::function<std::string()>& what) {
  if (buffer && buffer.GetSize() >= bytes && (buffer.GetUsage() & usage) == usage) return;
  buffer = nullptr;  // the old one first: two at a time may be too many
  try {
    buffer = device_->allocate(bytes, usage, label);
  } catch (Error& e) {
    for (Cause& c : e.causes())
      if (what && c.code == DBK_OUT_OF_MEMORY) c.message += ", for " + what();
    throw;
  }
  fresh_.push_back(buffer);
  stats_.add(&Stats::buffers_created, 1);
  stats_.add(&Stats::device_objects, 1);
}

void GpuActivation::allocate(std::span<const IoBinding> inputs, std::span<const IoBinding> outputs) {
  const Block& block = graph_->main();
  const bool map = device_->traits().map_in_place;
  arenas_.resize(std::max(arenas_.size(), plan_->device.arenas.size()));
  for (uint32_t i = 0; i < plan_->device.arenas.size(); ++i)
    grow(arenas_[i], plan_->device.arenas[i], usage_of(Slot::Kind::Arena, i), "arena", [&] { return largest_values(*graph_, *plan_, plan_->device, i); });
  const auto bound_place = [](std::span<const IoBinding> list, size_t i) -> Place {
    if (i >= list.size() || !list[i].buffer) return {};
    return {static_cast<GpuBuffer&>(*list[i].buffer).buffer(), list[i].buffer_offset, 0};
  };
  // Inputs in memory that the host can map are written in place; Dawn would go through a new staging buffer else, whose pages alone cost more.
  const wgpu::BufferUsage input_mapping = map ? wgpu::BufferUsage::MapWrite : wgpu::BufferUsage::None;
  inputs_.resize(block.inputs.size());
  bound_inputs_.clear();
  for (uint32_t i = 0; i < inputs_.size(); ++i) {
    bound_inputs_.push_back(bound_place(inputs, i));
    if (bound_inputs_[i].buffer) continue;
    grow(inputs_[i], plan_->input_room[i], usage_of(Slot::Kind::Input, i) | input_mapping, "input", [&] { return describe(*graph_, block.inputs[i]); });
  }
  outputs_.resize(block.outputs.size());
  bound_outputs_.clear();
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    bound_outputs_.push_back(bound_place(outputs, i));
    const auto same_buffer = [&](const IoBinding& other) { return other.buffer == outputs[i].buffer; };
    outputs_[i].detached = bound_outputs_[i].buffer && std::ranges::count_if(outputs, same_buffer) > 1;
    if (late(i) || (bound_outputs_[i].buffer && !outputs_[i].detached)) continue;
    const uint64_t bytes = plan_->output_room[i];
    const auto what = [&] { return describe(*graph_, block.outputs[i]); };
    grow(outputs_[i].own, bytes, usage_of(Slot::Kind::Output, i) | (map ? wgpu::BufferUsage::MapRead : wgpu::BufferUsage::None), "output", what);
    if (!map) grow(outputs_[i].staging, bytes, kStaging, "output staging", what);
  }
  make_room_for_islands();
  for (Sent& sent : sent_) sent.valid = false;
  inputs_bound(inputs);
  const bool any_host = std::ranges::any_of(plan_->segments, [](const Segment& s) { return s.on_host; });
  if (any_host) host_steps_.emplace(*graph_, plan_, prepared_->host_weights, packed_, bodies_, host_state_, stats_);
}

// Room for the bytes last sent of inputs that the host lends, to be compared at the next run. A compare reads each byte twice, an upload
// reads and writes it at least twice; a hash would read once, but two inputs of one hash would be a wrong result.
void GpuActivation::inputs_bound(std::span<const IoBinding> inputs) {
  sent_.resize(inputs_.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    Sent& sent = sent_[i];
    sent.changes = 0;
    const uint64_t bytes = plan_->input_room[i];
    if (!inputs[i].borrowed || bytes > kLargestCompared || sent.room >= bytes) continue;
    sent = {allocate_bytes(bytes, "input " + describe(*graph_, graph_->main().inputs[i])), bytes};
  }
}

// Dawn clears a buffer when it is first used, and memory is only really there once touched: both belong here, not into the first run.
void GpuActivation::clear_new_buffers() {
  if (fresh_.empty()) return;
  const wgpu::CommandEncoder encoder = device_->device().CreateCommandEncoder();
  for (const wgpu::Buffer& buffer : fresh_) encoder.ClearBuffer(buffer);
  fresh_.clear();
  device_->submit(encoder);
  if (!param_bytes_.empty()) device_->queue().WriteBuffer(params_, 0, param_bytes_.data(), param_bytes_.size());
  device_->wait_for_queue();
  device_->check();
}

void GpuActivation::count_bytes() {
  uint64_t bytes = 0, staging = 0;
  const auto size = [](const wgpu::Buffer& b) { return b ? b.GetSize() : 0; };
  for (const wgpu::Buffer& b : arenas_) bytes += size(b);
  for (const wgpu::Buffer& b : scratch_) bytes += size(b);
  for (const wgpu::Buffer& b : inputs_) bytes += size(b);
  for (const Output& o : outputs_) bytes += size(o.own), staging += size(o.staging);
  bytes += host_state_.bytes() + lent_inputs_.bytes() + lent_outputs_.bytes() + (host_steps_ ? host_steps_->late_bytes() : 0);
  staging += size(params_) + size(faults_) + size(fault_staging_) + size(island_staging_);
  stats_.add(&Stats::activation_bytes, bytes);
  stats_.subtract(&Stats::activation_bytes, std::exchange(counted_, bytes));
  stats_.add(&Stats::staging_bytes, staging);
  stats_.subtract(&Stats::staging_bytes, std::exchange(counted_staging_, staging));
}

GpuActivation::Place GpuActivation::output_place(uint32_t output) const {
  const bool in_place = bound_outputs_[output].buffer && !outputs_[output].detached;
  return in_place ? bound_outputs_[output] : Place{outputs_[output].own, 0, 0};
}

GpuActivation::Place GpuActivation::weight_place(ValueId value, const Panel& panel) const {
  const GpuWeight& weight = *prepared_->weights.at({value, panel});
  return {weight.buffer, weight.offset, std::max<uint64_t>(round_up(weight.bytes, 16), 16)};
}

GpuActivation::Place GpuActivation::place(ValueId value) const {
  const Slot& slot = plan_->device.slots[value];
  Place p;
  switch (slot.kind) {
    case Slot::Kind::Arena: p = {arenas_[slot.index], 0, 0}; break;
    case Slot::Kind::Input: p = bound_inputs_[slot.index].buffer ? bound_inputs_[slot.index] : Place{inputs_[slot.index], 0, 0}; break;
    case Slot::Kind::Output: p = output_place(slot.index); break;
    case Slot::Kind::Weight: p = weight_place(slot.index, whole(plan_->types[slot.index])); break;
    case Slot::Kind::Late:
    case Slot::Kind::InDevice:
    case Slot::Kind::None: fail(DBK_INTERNAL, "{} has no place on the device", describe(*graph_, value));
  }
  p.offset += slot.offset;
  p.size = std::min(storage_bytes(plan_->types[value]), p.buffer.GetSize() - p.offset);
  return p;
}

GpuActivation::Place GpuActivation::argument(uint32_t index, const Argument& arg, uint64_t fault) const {
  if (arg.kind == Argument::Kind::Fault) return {faults_, fault, 16};
  if (arg.kind == Argument::Kind::Scratch) return {scratch_[arg.index], arg.byte_off, arg.byte_len};
  const Node& node = graph_->main().nodes[index];
  const ValueId value = arg.kind == Argument::Kind::Input ? node.inputs[arg.index] : node.outputs[arg.index];
  Place p;
  if (arg.kind == Argument::Kind::Input && graph_->values[value].origin != DBK_ORIGIN_COMPUTED) {
    const NodeOperands operands(*graph_, node, plan_->types, prepared_->verdicts->of(index));
    const auto panels = operands.panels(*find_family(node.op->family), *prepared_->caps, arg.index);
    p = weight_place(value, panels.at(arg.panel));
  } else {
    p = place(value);
  }
  p.offset += arg.byte_off;
  p.size = arg.byte_len ? arg.byte_len : p.size - arg.byte_off;
  return p;
}

wgpu::BindGroup GpuActivation::bind(const Pipeline& pipeline, uint32_t node, const Dispatch& dispatch, uint64_t fault, uint64_t params) {
  std::vector<wgpu::BindGroupEntry> entries(dispatch.args.size() + 1);
  for (uint32_t i = 0; i < dispatch.args.size(); ++i) {
    const Place p = argument(node, dispatch.args[i], fault);
    entries[i].binding = i;
    entries[i].buffer = p.buffer;
    entries[i].offset = p.offset;
    entries[i].size = p.size;
  }
  entries.back().binding = static_cast<uint32_t>(dispatch.args.size());
  entries.back().buffer = params_;
  entries.back().offset = params;
  entries.back().size = dispatch.params.size();
  stats_.add(&Stats::device_objects, 1);
  return pipeline.bind(*device_, entries);
}

// The dispatches of all device steps, with their params and fault words placed; `programs` are those they take.
std::vector<GpuActivation::Planned> GpuActivation::plan_dispatches(std::vector<Program>& programs) {
  std::vector<Planned> planned;
  const uint64_t uniform_step = gpu_.traits().uniform_alignment, fault_step = gpu_.traits().storage_alignment;
  param_bytes_.clear();
  fault_words_.clear();
  for (const Segment& segment : plan_->segments) {
    for (uint32_t s = segment.first; !segment.on_host && s < segment.first + segment.count; ++s) {
      const Node& node = graph_->main().nodes[plan_->order[s]];
      const Family& family = *find_family(node.op->family);
      const NodeOperands operands(*graph_, node, plan_->types, prepared_->verdicts->of(plan_->order[s]));
      for (Dispatch& d : operands.dispatches(*graph_, family, *prepared_->caps, programs)) {
        const uint64_t at = round_up(param_bytes_.size(), uniform_step), fault = fault_words_.size() * fault_step;
        param_bytes_.resize(at + d.params.size());
        std::memcpy(param_bytes_.data() + at, d.params.data(), d.params.size());
        const auto reports = std::ranges::find(d.args, Argument::Kind::Fault, &Argument::kind);
        if (reports != d.args.end()) fault_words_.push_back({plan_->order[s], reports->index, fault});
        planned.push_back({s, std::move(d), at, fault});
      }
    }
  }
  return planned;
}

// Memory beside that of values: params, fault words and what dispatches of one node hand on.
void GpuActivation::allocate_for(const std::vector<Planned>& planned) {
  grow(params_, param_bytes_.size(), wgpu::BufferUsage::Uniform | wgpu::BufferUsage::CopyDst, "params");
  if (!param_bytes_.empty()) device_->queue().WriteBuffer(params_, 0, param_bytes_.data(), param_bytes_.size());
  if (const uint64_t bytes = fault_words_.size() * gpu_.traits().storage_alignment; bytes > 0) {
    grow(faults_, bytes, kStorage, "faults");
    grow(fault_staging_, bytes, kStaging, "fault staging");
    fault_values_.assign(bytes / 4, 0);
  }
  for (const Planned& p : planned)
    for (const Argument& a : p.dispatch.args) {
      if (a.kind != Argument::Kind::Scratch) continue;
      scratch_.resize(std::max<size_t>(scratch_.size(), a.index + 1));
      grow(scratch_[a.index], a.byte_off + a.byte_len, kStorage, "scratch");
    }
}

void GpuActivation::build_launches() {
  std::vector<Program> programs;
  const std::vector<Planned> planned = plan_dispatches(programs);
  pipelines_ = prepared_->table->get(programs, stats_);
  allocate_for(planned);
  launches_.assign(plan_->order.size(), {});
  device_->scoped("binding", [&] {
    for (const Planned& p : planned) {
      const Pipeline& pipeline = *pipelines_[p.dispatch.program];
      launches_[p.step].push_back({&pipeline, bind(pipeline, plan_->order[p.step], p.dispatch, p.fault, p.params), p.dispatch.groups});
    }
  });
}

}  // namespace dbk::gpu
