// Execution of a run on the worker: nothing is allocated here, and at most an encoder, a pass and a command buffer are made per
// submission. A device segment is one, or several where it takes long.
#include <algorithm>
#include <cstring>

#include "plugin/gpu/gpu_activation.h"
#include "plugin/gpu/gpu_buffer.h"
#include "plugin/graph/schema.h"

namespace dbk::gpu {

namespace {

// A rehearsal needs one workgroup of a launch, for drivers that finish compiling at the first dispatch. The threads of a software
// adapter have to be woken too, and to wander to cores of their own, which takes some milliseconds of work for all of them: once they are
// there (DawnDevice::takes_another_round), one round is enough.
struct Rehearsal {
  uint32_t groups;        // at most, along each axis of a grid
  int rounds;             // at most
  uint64_t nanoseconds;  // no new round after these
};
constexpr Rehearsal kOnHardware{1, 1, 0}, kOnSoftware{16, 8, 8'000'000};
constexpr uint32_t kWholeGrid = ~0u;

}  // namespace

void GpuActivation::execute(const RunRequest& request) {
  const Stopwatch watch;
  host_nanoseconds_ = 0;
  device_->check();
  upload_inputs(request);
  try {
    run_segments(request);
  } catch (...) {
    wait_for_pieces();  // what the host has lent is its own again when the run is over, however it ends
    throw;
  }
  device_->wait_for_queue();
  wait_for_pieces();
  device_->check();
  check_faults();
  deliver(request);
  if (has_late_) count_bytes();
  stats_.add(&Stats::device_nanoseconds, watch.nanoseconds() - host_nanoseconds_);  // what bodies do on the device they add themselves
}

void GpuActivation::run_segments(const RunRequest& request) {
  wgpu::CommandEncoder encoder;
  const auto begin = [&] {
    if (!encoder) encoder = new_encoder();
  };
  begin();
  if (!fault_words_.empty()) encoder.ClearBuffer(faults_);
  for (size_t s = 0; s < plan_->segments.size(); ++s) {
    if (*request.cancelled) fail(DBK_CANCELLED, "the run was cancelled");
    begin();
    if (plan_->segments[s].on_host) run_host_segment(std::exchange(encoder, nullptr), s, request);
    else run_device_segment(encoder, plan_->segments[s], request);
  }
  begin();
  encode_results(encoder, request);
  device_->submit(encoder);
  stats_.add(&Stats::segments, 1);
}

void GpuActivation::rehearse() {
  constexpr uint64_t kMost = 64u << 10;  // bytes: transfers of more do not notice how they begin
  if (writes_to_caller()) return;
  std::vector<std::byte> bytes(kMost);
  const auto some = [&](ValueId v) { return std::min(bytes_of(v), kMost); };
  for (uint32_t i = 0; i < inputs_.size(); ++i)
    if (!bound_inputs_[i].buffer) device_->write(inputs_[i], 0, bytes.data(), some(graph_->main().inputs[i]));
  const Rehearsal& rehearsal = gpu_.traits().caps.cpu_adapter ? kOnSoftware : kOnHardware;
  const Stopwatch watch;
  const auto again = [&](int round) {
    return round < rehearsal.rounds && watch.nanoseconds() < rehearsal.nanoseconds && device_->takes_another_round();
  };
  int round = 0;
  do rehearse_launches(rehearsal.groups);
  while (again(++round));
  if (!fault_words_.empty()) device_->read_mapped(fault_staging_, 0, fault_values_.data(), fault_values_.size() * 4);
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    if (const ValueId v = graph_->main().outputs[i]; !late(i) && some(v)) read_own(outputs_[i], 0, bytes.data(), some(v));
    outputs_[i].staged = false;
  }
}

void GpuActivation::rehearse_launches(uint32_t most_groups) {
  const wgpu::CommandEncoder encoder = device_->device().CreateCommandEncoder();
  if (!fault_words_.empty()) encoder.ClearBuffer(faults_);
  for (const Segment& segment : plan_->segments)
    if (!segment.on_host) encode_steps(encoder, segment.first, segment.first + segment.count, most_groups);
  std::vector<IoBinding> unbound(outputs_.size());
  encode_results(encoder, {.outputs = unbound});
  device_->submit(encoder);
  device_->wait_for_queue();
  device_->check();
  for (const std::vector<Launch>& step : launches_)
    for (const Launch& launch : step) launch.pipeline->dispatched = true;
}

// One workgroup of each launch whose pipeline is new. Only those: what others would write is of no use.
void GpuActivation::meet_kernels() {
  const auto is_new = [](const Launch& launch) { return !launch.pipeline->dispatched; };
  const bool any = std::ranges::any_of(launches_, [&](const std::vector<Launch>& step) { return std::ranges::any_of(step, is_new); });
  if (!any || writes_to_caller()) return;
  const wgpu::CommandEncoder encoder = device_->device().CreateCommandEncoder();
  const wgpu::ComputePassEncoder pass = encoder.BeginComputePass();
  for (const std::vector<Launch>& step : launches_)
    for (const Launch& launch : step) {
      if (!is_new(launch)) continue;
      pass.SetPipeline(launch.pipeline->pipeline);
      pass.SetBindGroup(0, launch.group);
      pass.DispatchWorkgroups(1, 1, 1);
      launch.pipeline->dispatched = true;
    }
  pass.End();
  device_->submit(encoder);
  device_->wait_for_queue();
  device_->check();
}

// Whether the device has the bytes of an input already. Only uploads write the buffer of an input.
bool GpuActivation::unchanged(uint32_t input, const IoBinding& io) {
  constexpr uint32_t kTries = 4;
  Sent& sent = sent_[input];
  if (!io.borrowed) {
    sent.valid = sent.valid && !io.changed;
    return !io.changed;
  }
  const size_t bytes = bytes_of(graph_->main().inputs[input]);
  if (!sent.bytes || sent.room < bytes || sent.changes >= kTries) {
    sent.valid = false;  // what is sent now is not kept
    return false;
  }
  if (sent.valid && std::memcmp(sent.bytes.get(), io.host, bytes) == 0) {
    sent.changes = 0;
    return true;
  }
  sent.changes += sent.valid;
  std::memcpy(sent.bytes.get(), io.host, bytes);
  sent.valid = true;
  return false;
}

void GpuActivation::upload_inputs(const RunRequest& request) {
  for (uint32_t i = 0; i < request.inputs.size(); ++i) {
    IoBinding& io = request.inputs[i];
    if (io.buffer) continue;
    if (request.mode & DBK_RUN_FORCE_UPLOAD) {
      sent_[i].valid = false;  // what is remembered of it is not compared, nor brought up to date
    } else if (unchanged(i, io)) {
      stats_.add(&Stats::uploads_skipped, 1);
      continue;
    }
    const uint64_t bytes = bytes_of(graph_->main().inputs[i]);
    device_->write(inputs_[i], 0, io.host, bytes);
    io.changed = false;
    stats_.add(&Stats::uploads, 1);
    stats_.add(&Stats::upload_bytes, bytes);
  }
}

// Encodes the launches of steps from `first` to `end` and tells how many; of each grid at most `most_groups` workgroups along each axis.
uint64_t GpuActivation::encode_steps(const wgpu::CommandEncoder& encoder, uint32_t first, uint32_t end, uint32_t most_groups) const {
  const wgpu::ComputePassEncoder pass = encoder.BeginComputePass();
  uint64_t dispatches = 0;
  for (uint32_t s = first; s < end; ++s) {
    for (const auto& [pipeline, group, grid] : launches_[s]) {
      pass.SetPipeline(pipeline->pipeline);
      pass.SetBindGroup(0, group);
      pass.DispatchWorkgroups(std::min(grid[0], most_groups), std::min(grid[1], most_groups), std::min(grid[2], most_groups));
      ++dispatches;
    }
  }
  pass.End();
  return dispatches;
}

void GpuActivation::run_device_segment(wgpu::CommandEncoder& encoder, const Segment& segment, const RunRequest& request) {
  const auto run_steps = [&](uint32_t first, uint32_t end) {
    stats_.add(&Stats::dispatches, encode_steps(encoder, first, end, kWholeGrid));
    stats_.add(&Stats::device_objects, 1);  // the pass
  };
  uint32_t first = segment.first;
  const uint32_t end = segment.first + segment.count;
  for (const uint32_t cut : cuts_) {
    if (cut <= first || cut >= end) continue;
    run_steps(first, cut);
    first = cut;
    hand_over(encoder, request);
  }
  run_steps(first, end);
}

// Submits what is encoded and begins anew, once the submission before is done: so not much lies in the queue, a cancelled run ends soon, and
// the device is busy all the time.
void GpuActivation::hand_over(wgpu::CommandEncoder& encoder, const RunRequest& request) {
  device_->submit(encoder);
  stats_.add(&Stats::segments, 1);
  if (const auto before = std::exchange(last_piece_, device_->submitted())) device_->wait(*before);
  device_->check();
  if (*request.cancelled) fail(DBK_CANCELLED, "the run was cancelled");
  encoder = new_encoder();
}

void GpuActivation::wait_for_pieces() noexcept try {
  if (const auto last = std::exchange(last_piece_, std::nullopt)) device_->wait(*last);
} catch (const Error&) {  // the device is gone, and the work with it
}

wgpu::CommandEncoder GpuActivation::new_encoder() {
  stats_.add(&Stats::device_objects, 2);  // encoder and command buffer
  return device_->device().CreateCommandEncoder();
}

void GpuActivation::encode_results(const wgpu::CommandEncoder& encoder, const RunRequest& request) {
  for (const OutputCopy& copy : plan_->copies) {
    const Place from = place(copy.value), to = output_place(copy.output);
    encoder.CopyBufferToBuffer(from.buffer, from.offset, to.buffer, to.offset, (bytes_of(copy.value) + 3) / 4 * 4);
  }
  if (!fault_words_.empty()) encoder.CopyBufferToBuffer(faults_, 0, fault_staging_, 0, fault_values_.size() * 4);
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    Output& o = outputs_[i];
    const bool wanted = request.outputs[i].host || !(request.mode & DBK_RUN_NO_READBACK);
    o.staged = o.staging && wanted && !bound_outputs_[i].buffer && !late(i);
    if (o.staged) encoder.CopyBufferToBuffer(o.own, 0, o.staging, 0, storage_bytes(plan_->types[graph_->main().outputs[i]]));
    if (o.detached)
      encoder.CopyBufferToBuffer(o.own, 0, bound_outputs_[i].buffer, bound_outputs_[i].offset, (bytes_of(graph_->main().outputs[i]) + 3) / 4 * 4);
  }
}

namespace {

// What a kernel has reported of an input of a node (kernels/_fault.wgsl).
[[noreturn]] void fail_for(const Node& node, uint32_t input, std::span<const uint32_t> words) {
  if (words[0] == kDivisionByZero)
    throw Error(DBK_OUT_OF_RANGE, std::format("{}: division by zero: element {} of the divisor is 0", describe(node), words[1]), node.table_index);
  if (input == 0) throw Error(DBK_OUT_OF_RANGE, describe(node) + ": an index is out of range", node.table_index);
  const auto number = static_cast<int64_t>(uint64_t{words[3]} << 32 | words[2]);
  const bool named = node.schema && input < node.schema->inputs().size();
  throw Error(DBK_OUT_OF_RANGE,
              std::format("{}: {} has {} at position {}, which is out of range", describe(node),
                          named ? node.schema->inputs()[input].name : std::format("input {}", input), number, words[1]),
              node.table_index);
}

}  // namespace

void GpuActivation::check_faults() {
  if (fault_words_.empty()) return;
  device_->read_mapped(fault_staging_, 0, fault_values_.data(), fault_values_.size() * 4);
  for (const Fault& f : fault_words_) {
    const auto words = std::span<const uint32_t>(fault_values_).subspan(f.offset / 4, 4);
    if (words[0]) fail_for(graph_->main().nodes[f.node], f.input, words);
  }
}

void GpuActivation::deliver(const RunRequest& request) {
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    const uint64_t bytes = bytes_of(graph_->main().outputs[i]);
    if (!request.outputs[i].host || !bytes) continue;
    read_own(outputs_[i], 0, request.outputs[i].host, bytes);
    stats_.add(&Stats::readback_bytes, bytes);
  }
}

void GpuActivation::read_own(Output& output, uint64_t offset, void* dst, uint64_t len) {
  if (!output.staging) return device_->read_mapped(output.own, offset, dst, len);
  if (output.staged) return device_->read_mapped(output.staging, offset, dst, len);
  device_->read_copy(output.own, offset, dst, len);
}

void GpuActivation::read(uint32_t output, uint64_t offset, void* dst, uint64_t len) {
  device_->check();
  if (late(output)) {
    std::memcpy(dst, static_cast<const std::byte*>(host_steps_->late(graph_->main().outputs[output]).data) + offset, len);
    return;
  }
  if (const Place& p = bound_outputs_[output]; p.buffer) return device_->read_copy(p.buffer, p.offset + offset, dst, len);
  read_own(outputs_[output], offset, dst, len);
}

}  // namespace dbk::gpu
