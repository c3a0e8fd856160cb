// Parts of a run that the host computes. Values cross to it and back: where the device's memory can be mapped they are used in place, while
// nothing is submitted; elsewhere, and in buffers of the caller, they are copied.
#include <algorithm>
#include <set>

#include "plugin/gpu/gpu_activation.h"

namespace dbk::gpu {

// Buffers that hold values which the plan lets the host use in place.
void GpuActivation::find_shared() {
  shared_.assign(plan_->segments.size(), {});
  size_t most = 0;
  for (size_t s = 0; s < shared_.size(); ++s) {
    const Segment& segment = plan_->segments[s];
    std::set<Shared> found;
    const auto add = [&](ValueId v) {
      if (v == DBK_NONE || plan_->host.slots[v].kind != Slot::Kind::InDevice) return;
      found.insert({plan_->device.slots[v].kind, plan_->device.slots[v].index});
    };
    for (uint32_t step = segment.first; segment.on_host && step < segment.first + segment.count; ++step) {
      const Node& node = graph_->main().nodes[plan_->order[step]];
      std::ranges::for_each(node.inputs, add);
      std::ranges::for_each(node.outputs, add);
    }
    shared_[s].assign(found.begin(), found.end());
    most += found.size();
  }
  mapped_.reserve(most);
}

wgpu::BufferUsage GpuActivation::usage_of(Slot::Kind kind, uint32_t index) const {
  const auto here = [&](const std::vector<Shared>& list) { return std::ranges::find(list, Shared{kind, index}) != list.end(); };
  return std::ranges::any_of(shared_, here) ? kStorage | wgpu::BufferUsage::MapRead | wgpu::BufferUsage::MapWrite : kStorage;
}

wgpu::Buffer GpuActivation::shared_buffer(const Shared& shared) const {
  switch (shared.kind) {
    case Slot::Kind::Arena: return arenas_[shared.index];
    case Slot::Kind::Input: return bound_inputs_[shared.index].buffer ? nullptr : inputs_[shared.index];
    default: return bound_outputs_[shared.index].buffer && !outputs_[shared.index].detached ? nullptr : outputs_[shared.index].own;
  }
}

bool GpuActivation::in_place(ValueId value) const {
  const Slot& slot = plan_->device.slots[value];
  return plan_->host.slots[value].kind == Slot::Kind::InDevice && shared_buffer({slot.kind, slot.index}) != nullptr;
}

void GpuActivation::make_room_for_islands() {
  std::vector<uint64_t> inputs(inputs_.size()), outputs(outputs_.size());
  bool copies = false;
  for (size_t s = 0; s < shared_.size(); ++s) {
    for (const Shared& shared : shared_[s]) {
      if (shared_buffer(shared)) continue;
      const bool input = shared.kind == Slot::Kind::Input;
      (input ? inputs : outputs)[shared.index] = (input ? plan_->input_room : plan_->output_room)[shared.index];
    }
    copies = copies || !std::ranges::all_of(plan_->segments[s].downloads, [&](ValueId v) { return in_place(v); });
  }
  lent_inputs_.fit(inputs, [&](uint32_t i) { return "input " + describe(*graph_, graph_->main().inputs[i]); });
  lent_outputs_.fit(outputs, [&](uint32_t i) { return "output " + describe(*graph_, graph_->main().outputs[i]); });
  if (copies) grow(island_staging_, plan_->island_room, kStaging, "island staging", [] { return "what the host reads of the device"; });
}

std::byte* GpuActivation::host_address(ValueId value) const {
  if (plan_->host.slots[value].kind != Slot::Kind::InDevice) return host_steps_->address(value);
  const Slot& slot = plan_->device.slots[value];
  return (slot.kind == Slot::Kind::Input ? lent_inputs_ : lent_outputs_)[slot.index] + slot.offset;
}

// For the host's steps until unmap_shared; the queue is idle. A mapping to write shows what is there, too.
void GpuActivation::map_shared(std::span<const Shared> list) {
  for (const Shared& shared : list) {
    const wgpu::Buffer buffer = shared_buffer(shared);
    std::byte* memory = nullptr;
    if (buffer) {
      memory = device_->map(buffer, wgpu::MapMode::Write);
      mapped_.push_back(buffer);
    } else {
      memory = (shared.kind == Slot::Kind::Input ? lent_inputs_ : lent_outputs_)[shared.index];
    }
    host_steps_->set_address(shared.kind, shared.index, memory);
  }
}

void GpuActivation::unmap_shared() noexcept {
  for (const wgpu::Buffer& buffer : mapped_) buffer.Unmap();
  mapped_.clear();
}

// Brings what the segment reads to the host, computes, and sends back what the device needs of it.
void GpuActivation::run_host_segment(const wgpu::CommandEncoder& encoder, size_t index, const RunRequest& request) {
  const Segment& segment = plan_->segments[index];
  uint64_t at = 0, moved = 0;
  for (ValueId v : segment.downloads) {
    if (in_place(v)) continue;
    const Place p = place(v);
    encoder.CopyBufferToBuffer(p.buffer, p.offset, island_staging_, at, p.size);
    at += p.size;
  }
  device_->submit(encoder);
  device_->wait_for_queue();
  device_->check();
  const Stopwatch watch;
  at = 0;
  for (ValueId v : segment.downloads) {
    if (in_place(v)) continue;
    const uint64_t bytes = bytes_of(v);
    if (bytes) device_->read_mapped(island_staging_, at, host_address(v), bytes);
    at += place(v).size;
    moved += bytes;
  }
  const Mapping mapping(*this, shared_[index]);
  host_steps_->execute(segment.first, segment.count, request);
  mapping.end();
  for (ValueId v : segment.uploads) {
    if (in_place(v)) continue;
    const Place p = place(v);
    device_->write(p.buffer, p.offset, host_address(v), bytes_of(v));
    moved += bytes_of(v);
  }
  stats_.add(&Stats::segments, 2);  // what was submitted for the downloads, and the host's part
  stats_.add(&Stats::host_islands, 1);
  stats_.add(&Stats::island_bytes, moved);
  host_nanoseconds_ += watch.nanoseconds();
}

void GpuActivation::rehearse_host_steps() {
  if (!host_steps_) return;
  std::set<Shared> all;
  for (const std::vector<Shared>& list : shared_) all.insert(list.begin(), list.end());
  const Mapping mapping(*this, std::vector(all.begin(), all.end()));
  host_steps_->rehearse();
}

}  // namespace dbk::gpu
