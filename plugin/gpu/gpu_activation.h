// A GPU's share of a run: buffers, bind groups and launches made at bind (gpu_activation.cpp), replayed as one command buffer per device
// segment, or few where it takes long (gpu_execute.cpp), with parts on the host between them (gpu_islands.cpp).
#pragma once

#include "plugin/cpu/host_steps.h"
#include "plugin/gpu/gpu_program.h"

namespace dbk::gpu {

inline constexpr auto kStorage = wgpu::BufferUsage::Storage | wgpu::BufferUsage::CopyDst | wgpu::BufferUsage::CopySrc;
inline constexpr auto kStaging = wgpu::BufferUsage::MapRead | wgpu::BufferUsage::CopyDst;

class GpuActivation final : public Activation {
 public:
  GpuActivation(GpuDevice& device, std::shared_ptr<const Graph> graph,
                Current<Prepared> current, PackedWeights& packed, BodyPrograms& bodies, Stats& stats);
  ~GpuActivation() override;

  void set_plan(std::shared_ptr<const Plan> plan, std::span<const IoBinding> inputs, std::span<const IoBinding> outputs) override;
  void inputs_bound(std::span<const IoBinding> inputs) override;
  void execute(const RunRequest& request) override;
  void read(uint32_t output, uint64_t offset, void* dst, uint64_t len) override;
  TensorType late_output(uint32_t output) const override { return host_steps_->late(graph_->main().outputs[output]).type; }
  void meet_kernels() override;
  void rehearse() override;  // a few workgroups of every launch
  void rehearse_host_steps();

 private:
  struct Place {  // a range of a Dawn buffer
    wgpu::Buffer buffer;
    uint64_t offset = 0, size = 0;
  };
  struct Launch {
    const Pipeline* pipeline;
    wgpu::BindGroup group;
    std::array<uint32_t, 3> grid;
  };
  struct Fault {  // a launch that can meet bad indices, and the word it reports them in
    uint32_t node, input;
    uint64_t offset;
  };
  struct Output {
    wgpu::Buffer own, staging;  // of an output that is not bound to a buffer; staging only where `own` cannot be mapped
    bool staged = false;        // staging holds the result of the last run
    bool detached = false;      // made in `own` and then copied: outputs that share a buffer, which one dispatch may not read and write
  };

  struct Sent {  // what was uploaded last of an input that the host lends
    std::shared_ptr<std::byte[]> bytes;
    uint64_t room = 0;
    bool valid = false;
    uint32_t changes = 0;  // in a row; an input that always changes is not compared any more
  };

  struct Shared {  // a buffer of the device that a host segment reads or writes
    Slot::Kind kind;
    uint32_t index;
    auto operator<=>(const Shared&) const = default;
  };

  void allocate(std::span<const IoBinding> inputs, std::span<const IoBinding> outputs);
  void find_shared();
  void make_room_for_islands();
  // Makes the buffer larger where it has to be. `what` tells what it is for, where there is no memory for it.
  void grow(wgpu::Buffer& buffer, uint64_t bytes, wgpu::BufferUsage usage, const char* label, const std::function<std::string()>& what = {});
  wgpu::BufferUsage usage_of(Slot::Kind kind, uint32_t index) const;
  bool in_place(ValueId value) const;  // the host has it where the device has it: nothing is copied
  wgpu::Buffer shared_buffer(const Shared& shared) const;  // null where it is the caller's
  void clear_new_buffers();
  void count_bytes();
  struct Planned {  // a dispatch before its pipeline and buffers are known
    uint32_t step;
    Dispatch dispatch;
    uint64_t params, fault;  // places of both
  };
  void build_launches();
  std::vector<Planned> plan_dispatches(std::vector<Program>& programs);
  void allocate_for(const std::vector<Planned>& planned);
  wgpu::BindGroup bind(const Pipeline& pipeline, uint32_t node, const Dispatch& dispatch, uint64_t fault, uint64_t params);
  Place place(ValueId value) const;
  Place output_place(uint32_t output) const;
  Place weight_place(ValueId value, const Panel& panel) const;
  Place argument(uint32_t node, const Argument& arg, uint64_t fault) const;
  bool late(uint32_t output) const { return plan_->types.late[graph_->main().outputs[output]]; }
  uint64_t bytes_of(ValueId value) const { return static_cast<uint64_t>(plan_->types[value].bytes()); }

  bool unchanged(uint32_t input, const IoBinding& io);
  void upload_inputs(const RunRequest& request);
  // Whether results go to buffers of the caller, where only a run may write.
  bool writes_to_caller() const {
    return std::ranges::any_of(bound_outputs_, [](const Place& p) { return p.buffer != nullptr; });
  }
  void rehearse_launches(uint32_t most_groups);
  uint64_t encode_steps(const wgpu::CommandEncoder& encoder, uint32_t first, uint32_t end, uint32_t most_groups) const;
  void encode_results(const wgpu::CommandEncoder& encoder, const RunRequest& request);
  void run_device_segment(wgpu::CommandEncoder& encoder, const Segment& segment, const RunRequest& request);
  void hand_over(wgpu::CommandEncoder& encoder, const RunRequest& request);
  void wait_for_pieces() noexcept;
  void run_segments(const RunRequest& request);
  wgpu::CommandEncoder new_encoder();
  void run_host_segment(const wgpu::CommandEncoder& encoder, size_t index, const RunRequest& request);
  // Maps shared buffers for the host's steps as long as it lives; the queue is idle meanwhile.
  class Mapping {
   public:
    Mapping(GpuActivation& activation, std::span<const Shared> list) : activation_(activation) {
      try {
        activation.map_shared(list);
      } catch (...) {
        end();
        throw;
      }
    }
    ~Mapping() { end(); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    void end() const noexcept { activation_.unmap_shared(); }

   private:
    GpuActivation& activation_;
  };
  void map_shared(std::span<const Shared> list);
  void unmap_shared() noexcept;
  std::byte* host_address(ValueId value) const;  // of a value that is copied: in an arena, or instead of a buffer of the caller
  void deliver(const RunRequest& request);
  void check_faults();
  void read_own(Output& output, uint64_t offset, void* dst, uint64_t len);

  GpuDevice& gpu_;
  std::shared_ptr<const Graph> graph_;
  Current<Prepared> current_;
  PackedWeights& packed_;
  BodyPrograms& bodies_;
  Stats& stats_;
  std::shared_ptr<const Prepared> prepared_;
  std::shared_ptr<DawnDevice> device_;
  std::shared_ptr<const Plan> plan_;
  std::vector<wgpu::Buffer> arenas_, inputs_;
  std::vector<Output> outputs_;
  std::vector<Sent> sent_;
  std::vector<Place> bound_inputs_, bound_outputs_;  // buffers of the caller; null where not bound
  std::vector<wgpu::Buffer> scratch_;  // by index of Argument::Kind::Scratch; of all nodes
  wgpu::Buffer params_, faults_, fault_staging_, island_staging_;
  std::vector<wgpu::Buffer> fresh_;                  // made since the last clear
  std::vector<std::shared_ptr<const Pipeline>> pipelines_;
  std::vector<std::vector<Launch>> launches_;        // by step of the plan
  std::vector<uint32_t> cuts_;                       // steps that begin a submission of their own
  std::optional<wgpu::Future> last_piece_;           // the end of the last submission that hand_over made
  std::vector<Fault> fault_words_;
  std::vector<std::byte> param_bytes_;
  std::vector<uint32_t> fault_values_;
  std::vector<std::vector<Shared>> shared_;  // by segment
  std::vector<wgpu::Buffer> mapped_;         // while a host segment runs
  HostArenas lent_inputs_, lent_outputs_;    // what the host has instead of buffers of the caller, which it does not map
  HostState host_state_;
  std::optional<HostSteps> host_steps_;
  uint64_t counted_ = 0, counted_staging_ = 0;
  uint64_t host_nanoseconds_ = 0;  // of this run's host segments, transfers to and from them included
  bool has_late_ = false;
};

}  // namespace dbk::gpu
