#include "plugin/cpu/cpu_program.h"

#include <algorithm>
#include <chrono>

#include "plugin/cpu/cpu_buffer.h"
#include "plugin/cpu/host_steps.h"
#include "plugin/cpu/thread_limit.h"
#include "plugin/graph/prologue.h"

namespace dbk {

namespace {

class CpuActivation final : public Activation {
 public:
  CpuActivation(std::shared_ptr<const Graph> graph, Current<Weights> current, PackedWeights& packed, BodyPrograms& bodies,
                const bool& worth_rehearsing, Stats& stats)
      : graph_(std::move(graph)), current_(std::move(current)), packed_(packed), bodies_(bodies), worth_rehearsing_(worth_rehearsing),
        stats_(stats) {}
  ~CpuActivation() override { stats_.subtract(&Stats::activation_bytes, counted_); }

  void set_plan(std::shared_ptr<const Plan> plan, std::span<const IoBinding>, std::span<const IoBinding>) override {
    const std::shared_ptr<const Weights> weights = current_->load();
    if (steps_ && plan == plan_ && weights_ == weights) return;
    steps_.reset();  // before the weights it refers to
    weights_ = weights;
    outputs_.fit(plan->output_room, [&](uint32_t i) { return "output " + describe(*graph_, graph_->main().outputs[i]); });
    results_.assign(plan->output_room.size(), nullptr);
    steps_.emplace(*graph_, plan, *weights_, packed_, bodies_, state_, stats_);  // last of what may fail: tells that all is there
    plan_ = std::move(plan);
    has_late_ = std::ranges::find(plan_->types.late, true) != plan_->types.late.end();
    count_bytes();
  }

  // On inputs of zeros.
  void rehearse() override {
    if (!worth_rehearsing_ || !steps_->all_have_kernels()) return;
    const HostArenas zeros = zero_inputs();
    std::vector<IoBinding> inputs(plan_->input_room.size()), outputs(plan_->output_room.size());
    for (uint32_t i = 0; i < inputs.size(); ++i) inputs[i].host = zeros[i];
    try {
      compute({.inputs = inputs, .outputs = outputs});
    } catch (const Error&) {  // an op that refuses zeros
    }
  }

  // As far as that can be done, whatever the plan.
  void rehearse_steps() {
    const HostArenas zeros = zero_inputs();
    for (uint32_t i = 0; i < plan_->input_room.size(); ++i) steps_->set_address(Slot::Kind::Input, i, zeros[i]);
    for (uint32_t i = 0; i < plan_->output_room.size(); ++i) steps_->set_address(Slot::Kind::Output, i, outputs_[i]);
    steps_->rehearse();
  }

  void execute(const RunRequest& request) override {
    compute(request);
    stats_.add(&Stats::segments, plan_->segments.size());
    if (has_late_) count_bytes();
  }

  void read(uint32_t output, uint64_t offset, void* dst, uint64_t len) override {
    std::memcpy(dst, results_[output] + offset, len);
  }

  TensorType late_output(uint32_t output) const override { return steps_->late(graph_->main().outputs[output]).type; }

 private:
  HostArenas zero_inputs() const {
    HostArenas zeros;
    zeros.fit(plan_->input_room, [&](uint32_t i) { return "input " + describe(*graph_, graph_->main().inputs[i]); });
    return zeros;
  }

  void compute(const RunRequest& request) {
    for (uint32_t i = 0; i < request.inputs.size(); ++i) steps_->set_address(Slot::Kind::Input, i, memory(request.inputs[i]));
    for (uint32_t i = 0; i < request.outputs.size(); ++i) steps_->set_address(Slot::Kind::Output, i, target(request, i));
    for (const Segment& s : plan_->segments) steps_->execute(s.first, s.count, request);
    for (const OutputCopy& c : plan_->copies)
      std::memcpy(target(request, c.output), source(request, c.value), static_cast<size_t>(plan_->types[c.value].bytes()));
    for (uint32_t i = 0; i < request.outputs.size(); ++i) {
      const ValueId v = graph_->main().outputs[i];
      results_[i] = plan_->types.late[v] ? static_cast<std::byte*>(steps_->late(v).data) : target(request, i);
    }
  }

  void count_bytes() {
    const uint64_t bytes = state_.bytes() + outputs_.bytes() + steps_->late_bytes();
    stats_.add(&Stats::activation_bytes, bytes);
    stats_.subtract(&Stats::activation_bytes, std::exchange(counted_, bytes));
  }
  static std::byte* memory(const IoBinding& io) {
    return io.buffer ? static_cast<CpuBuffer&>(*io.buffer).data() + io.buffer_offset : io.host;
  }
  std::byte* target(const RunRequest& request, uint32_t i) {
    std::byte* bound = memory(request.outputs[i]);
    return bound ? bound : outputs_[i];
  }
  // Where a value that an output repeats lives after the run.
  std::byte* source(const RunRequest& request, ValueId value) {
    const Slot& slot = plan_->host.slots[value];
    switch (slot.kind) {
      case Slot::Kind::Input: return memory(request.inputs[slot.index]) + slot.offset;
      case Slot::Kind::Output: return target(request, slot.index) + slot.offset;
      default: return const_cast<std::byte*>((*weights_)[slot.index].data) + slot.offset;
    }
  }

  std::shared_ptr<const Graph> graph_;
  Current<Weights> current_;  // of the program: newer after a replacement
  std::shared_ptr<const Weights> weights_;
  PackedWeights& packed_;
  BodyPrograms& bodies_;
  const bool& worth_rehearsing_;  // of the program, which learns it
  Stats& stats_;
  std::shared_ptr<const Plan> plan_;
  HostState state_;
  HostArenas outputs_;
  std::optional<HostSteps> steps_;
  std::vector<std::byte*> results_;  // where the outputs of the last run are
  uint64_t counted_ = 0;
  bool has_late_ = false;
};

}  // namespace

CpuProgram::CpuProgram(Device& device, std::shared_ptr<const Graph> graph, Stats& stats)
    : device_(device), graph_(std::move(graph)), stats_(stats), bodies_(device, graph_, stats),
      current_(std::make_shared<std::atomic<std::shared_ptr<const Weights>>>()), packed_(stats) {}

CpuProgram::~CpuProgram() { stats_.subtract(&Stats::weight_bytes, counted_); }

void CpuProgram::prepare(const Plan& plan, const Weights& weights, const Progress& progress) {
  auto current = std::make_shared<const Weights>(weights);
  device_.worker().call([&] {
    packed_.keep_only(weights);
    current_->store(std::move(current));
  });
  bodies_.prepare(plan, weights, [](uint32_t, uint64_t, uint64_t) {});
  const uint64_t bytes = plain_use(plan, weights).allocated;
  stats_.add(&Stats::weight_bytes, bytes);
  stats_.subtract(&Stats::weight_bytes, std::exchange(counted_, bytes));
  progress(DBK_STAGE_WEIGHTS, bytes, bytes);
  progress(DBK_STAGE_WARM_UP, 0, 1);
  device_.worker().call([&] { rehearse(plan); });
  progress(DBK_STAGE_WARM_UP, 1, 1);
}

// Packs weights and compiles kernels; the first time also runs them, which starts OpenMP's threads where a kernel wants them.
void CpuProgram::rehearse(const Plan& plan) {
  constexpr std::chrono::milliseconds kShort(5);  // for the first time; a longer run does not notice what its own rehearsal would spare
  if (!plan.types.complete) return start_threads();
  Stats discarded;  // what the rehearsal makes is gone when it ends
  CpuActivation activation(graph_, current_, packed_, bodies_, worth_rehearsing_, discarded);
  activation.set_plan(std::make_shared<Plan>(plan), {}, {});
  if (std::exchange(rehearsed_, true)) return;
  const auto begin = std::chrono::steady_clock::now();
  activation.rehearse_steps();
  worth_rehearsing_ = std::chrono::steady_clock::now() - begin < kShort;
}

void CpuProgram::complete(const Plan& plan) {
  if (const auto weights = current_->load()) bodies_.complete(plan, *weights);
}

std::unique_ptr<Activation> CpuProgram::activate(Stats& stats) {
  return std::make_unique<CpuActivation>(graph_, current_, packed_, bodies_, worth_rehearsing_, stats);
}

WeightUse CpuProgram::plain_use(const Plan& plan, const Weights& weights) const {
  WeightUse use;
  const std::vector<bool> held = weights_with_memory(*graph_);
  if (graph_->is_body) return use;  // the graph around it counts all
  for (ValueId v = 0; v < graph_->values.size(); ++v) {
    if (!held[v]) continue;
    (weights[v].borrowed ? use.borrowed : use.allocated) += static_cast<uint64_t>(plan.types[v].bytes());
    if (weights[v].borrowed) use.in_place.insert(v);
  }
  return use;
}

WeightUse CpuProgram::weight_use(const Plan& plan, const Weights& weights) const {
  WeightUse use = plain_use(plan, weights);
  use.packed = host_needs(*graph_, plan).packed_bytes;
  use.allocated += use.packed;
  bodies_.add_weight_use(plan, weights, use);
  return use;
}

uint64_t CpuProgram::scratch_bytes(const Plan& plan) const { return host_needs(*graph_, plan).scratch_bytes + bodies_.scratch_bytes(plan); }

std::string CpuProgram::kernel_of(const Plan& plan, uint32_t node) const {
  const Node& n = graph_->main().nodes[node];
  std::vector<TensorType> types;
  for (ValueId v : n.inputs) types.push_back(v == DBK_NONE ? TensorType{} : plan.types[v]);
  return std::string(n.op->id) + "/" + host_kernel_name(n, types);
}

}  // namespace dbk
