// The CPU device: whole graphs by host functions and oneDNN, on the same plan as every device, in host memory.
#include <omp.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cstring>

#include "plugin/context.h"
#include "plugin/cpu/host_steps.h"
#include "plugin/cpu/isa.h"
#include "plugin/graph/prologue.h"

namespace dbk {

namespace {

class CpuBuffer final : public DeviceBuffer {
 public:
  CpuBuffer(uint64_t bytes, void* host_ptr, Stats& stats) : size_(bytes), stats_(stats) {
    const uint64_t room = std::max<uint64_t>((bytes + 15) / 16 * 16, 16);  // kernels may read whole vectors
    if (host_ptr) data_ = {std::shared_ptr<std::byte[]>(), static_cast<std::byte*>(host_ptr)};
    else data_ = allocate_bytes(room), std::memset(data_.get(), 0, room);
    stats_.add(&Stats::buffers_created, 1);
  }

  std::byte* data() { return data_.get(); }
  uint64_t size() const override { return size_; }
  void write(uint64_t offset, const void* src, uint64_t len) override { std::memcpy(data() + offset, src, len); }
  void read(uint64_t offset, void* dst, uint64_t len) override { std::memcpy(dst, data() + offset, len); }
  void copy_from(uint64_t offset, DeviceBuffer& src, uint64_t src_offset, uint64_t len) override {
    std::memcpy(data() + offset, static_cast<CpuBuffer&>(src).data() + src_offset, len);
  }
  std::byte* map(uint32_t, uint64_t offset, uint64_t) override { return data() + offset; }
  void unmap() override {}

 private:
  uint64_t size_;
  Stats& stats_;
  std::shared_ptr<std::byte[]> data_;
};

class CpuActivation final : public Activation {
 public:
  CpuActivation(std::shared_ptr<const Graph> graph, std::shared_ptr<std::shared_ptr<const Weights>> current, BodyPrograms& bodies, Stats& stats)
      : graph_(std::move(graph)), current_(std::move(current)), bodies_(bodies), stats_(stats) {}
  ~CpuActivation() override { stats_.subtract(&Stats::activation_bytes, counted_); }

  void set_plan(std::shared_ptr<const Plan> plan, std::span<const IoBinding>, std::span<const IoBinding>) override {
    if (plan == plan_ && weights_ == *current_) return;
    weights_ = *current_;
    steps_.emplace(*graph_, plan, *weights_, bodies_, state_, stats_);
    plan_ = std::move(plan);
    outputs_.fit(plan_->output_room);
    results_.assign(plan_->output_room.size(), nullptr);
    const uint64_t bytes = state_.arenas.bytes() + outputs_.bytes();
    stats_.add(&Stats::activation_bytes, bytes);
    stats_.subtract(&Stats::activation_bytes, std::exchange(counted_, bytes));
  }

  void execute(const RunRequest& request) override {
    for (uint32_t i = 0; i < request.inputs.size(); ++i) steps_->set_address(Slot::Kind::Input, i, memory(request.inputs[i]));
    for (uint32_t i = 0; i < request.outputs.size(); ++i) steps_->set_address(Slot::Kind::Output, i, target(request, i));
    for (const Segment& s : plan_->segments) steps_->execute(s.first, s.count, request.cancelled);
    for (const OutputCopy& c : plan_->copies)
      std::memcpy(target(request, c.output), source(request, c.value), static_cast<size_t>(plan_->types[c.value].bytes()));
    for (uint32_t i = 0; i < request.outputs.size(); ++i) {
      const ValueId v = graph_->main().outputs[i];
      results_[i] = plan_->types.late[v] ? static_cast<std::byte*>(steps_->late(v).data) : target(request, i);
    }
    stats_.add(&Stats::segments, plan_->segments.size());
  }

  void read(uint32_t output, uint64_t offset, void* dst, uint64_t len) override {
    std::memcpy(dst, results_[output] + offset, len);
  }

  TensorType late_output(uint32_t output) const override { return steps_->late(graph_->main().outputs[output]).type; }

 private:
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
  std::shared_ptr<std::shared_ptr<const Weights>> current_;  // of the program: newer after a replacement
  std::shared_ptr<const Weights> weights_;
  BodyPrograms& bodies_;
  Stats& stats_;
  std::shared_ptr<const Plan> plan_;
  HostState state_;
  HostArenas outputs_;
  std::optional<HostSteps> steps_;
  std::vector<std::byte*> results_;  // where the outputs of the last run are
  uint64_t counted_ = 0;
};

class CpuProgram final : public Program {
 public:
  CpuProgram(Device& device, std::shared_ptr<const Graph> graph, Stats& stats)
      : graph_(std::move(graph)), stats_(stats), bodies_(device, graph_, stats), current_(std::make_shared<std::shared_ptr<const Weights>>()) {}
  ~CpuProgram() override { stats_.subtract(&Stats::weight_bytes, counted_); }

  void prepare(const Plan& plan, const Weights& weights, const Progress& progress) override {
    *current_ = std::make_shared<Weights>(weights);
    bodies_.prepare(plan, weights, [](uint32_t, uint64_t, uint64_t) {});
    const uint64_t bytes = weight_use(plan, weights).allocated;
    stats_.add(&Stats::weight_bytes, bytes);
    stats_.subtract(&Stats::weight_bytes, std::exchange(counted_, bytes));
    progress(DBK_STAGE_WEIGHTS, bytes, bytes);
  }

  void complete(const Plan& plan) override {
    if (*current_) bodies_.complete(plan, **current_);
  }

  std::unique_ptr<Activation> activate(Stats& stats) override {
    return std::make_unique<CpuActivation>(graph_, current_, bodies_, stats);
  }

  WeightUse weight_use(const Plan& plan, const Weights& weights) const override {
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

  std::string kernel_of(const Plan& plan, uint32_t node) const override {
    const Node& n = graph_->main().nodes[node];
    std::vector<TensorType> types;
    for (ValueId v : n.inputs) types.push_back(v == DBK_NONE ? TensorType{} : plan.types[v]);
    return std::string(n.op->id) + "/" + host_kernel_name(n, types);
  }

 private:
  std::shared_ptr<const Graph> graph_;
  Stats& stats_;
  BodyPrograms bodies_;
  std::shared_ptr<std::shared_ptr<const Weights>> current_;
  uint64_t counted_ = 0;
};

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const Options& options) : threads_(static_cast<int>(options.integer("threads"))) {
    cap_onednn_isa();
    silence_onednn();
    struct sysinfo memory {};
    sysinfo(&memory);
    info_.kind = DBK_DEVICE_CPU;
    info_.name = cpu_name();
    info_.driver = onednn_version();
    info_.mem_total = uint64_t{memory.totalram} * memory.mem_unit;
    info_.max_buffer = info_.max_binding = info_.mem_total;
    info_.features = DBK_FEATURE_F16 | DBK_FEATURE_MAP_IN_PLACE | DBK_FEATURE_HOST_POINTER | DBK_FEATURE_BORROW;
    info_.host_ptr_align = 1;
    info_.score = 100;
  }

  DeviceInfo info() override {
    struct sysinfo memory {};
    sysinfo(&memory);
    DeviceInfo info = info_;
    info.mem_free = (uint64_t{memory.freeram} + memory.bufferram) * memory.mem_unit;
    return info;
  }
  std::string refuse(const Graph&, const Node&, const Types&) override { return ""; }
  PlanRules plan_rules() override { return {.host_only = true}; }
  bool is_cpu() const override { return true; }
  std::unique_ptr<Program> create_program(std::shared_ptr<const Graph> graph, Stats& stats) override {
    if (threads_) worker().call([this] { omp_set_num_threads(threads_); });  // of the worker alone
    return std::make_unique<CpuProgram>(*this, std::move(graph), stats);
  }
  std::unique_ptr<DeviceBuffer> create_buffer(uint64_t bytes, void* host_ptr, Stats& stats) override {
    return std::make_unique<CpuBuffer>(bytes, host_ptr, stats);
  }
  bool recover() override { return false; }

 private:
  DeviceInfo info_;
  int threads_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(const Options& options) { return std::make_unique<CpuDevice>(options); }

}  // namespace dbk
