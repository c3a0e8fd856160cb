// Bindings and memory of one activation of an executable. One thread at a time, as the ABI says; the worker touches it while a run is in
// flight, during which everything else is refused.
#pragma once

#include "plugin/executable.h"
#include "plugin/host_tensor_copy.h"

namespace dbk {

class Buffer;

// A bound tensor as the caller described it.
struct Bound {
  bool set = false;
  TensorType type;
  HostView view;                         // host memory of the caller, or `dense`
  bool borrowed = false;                 // inputs: read at every run
  std::shared_ptr<std::byte[]> dense;    // copy of an input, or what stands between a strided or unaligned tensor and the device
  std::shared_ptr<Buffer> buffer;        // device memory instead
  uint64_t buffer_offset = 0;
  bool has_result = false;               // outputs: of the last run, which found it bound like this
};

// Dims of an input or output as far as they are known, else DBK_DIM_UNKNOWN.
struct KnownShape {
  std::vector<int64_t> dims;
  bool exact = false, ranked = true;
};

class Run : public Child {
 public:
  explicit Run(std::shared_ptr<Executable> executable);
  ~Run() override;

  void set_dim(uint32_t symbol, int64_t extent);
  void bind(uint32_t role, uint32_t index, const dbk_tensor* tensor);
  KnownShape shape(uint32_t role, uint32_t index) const;
  void start(const dbk_submit& submit, dbk_event** out_done);
  void cancel();  // what is in flight at this moment, from any thread
  void check_alive() const;  // throws FAILED_PRECONDITION where only destroying it is left; from any thread
  void read(std::vector<dbk_copy> copies, dbk_event** out_done);
  void close();  // waits while in flight
  void release_device() override;

  Executable& executable() const { return *executable_; }
  const Plan* plan() const { return decided(extents_, inputs_) ? plan_.get() : nullptr; }  // of a run as things are bound
  Stats& stats() { return stats_; }

 private:
  struct RunJob final : Job {
    Run* run = nullptr;
    void execute() noexcept override { run->execute_job(); }
  };
  struct RehearsalJob final : Job {
    Run* run = nullptr;
    void execute() noexcept override { run->rehearsal_job(); }
  };
  struct ReadJob final : Job {
    Run* run = nullptr;
    void execute() noexcept override { run->read_job(); }
  };

  void check_program() const;
  void check_idle() const;
  bool has_current_results() const;
  Activation& activation() const;
  // Whether all that decides shapes is known.
  bool decided(const std::vector<int64_t>& extents, const std::vector<Bound>& inputs) const;
  KnownShape undecided_shape(ValueId value) const;
  TensorType output_type(uint32_t index) const;  // of the last run
  static void check_extent(const Symbol& symbol, int64_t extent);
  void bind_input(uint32_t index, const dbk_tensor& tensor);
  void bind_output(uint32_t index, const dbk_tensor& tensor);
  Bound take(const dbk_tensor& tensor, const std::string& what) const;
  void learn_symbols(uint32_t input, const Shape& shape, std::vector<int64_t>& extents) const;
  void replan(const std::vector<int64_t>& extents, const std::vector<Bound>& inputs);
  void install(std::shared_ptr<const Plan> plan);
  void refresh_io();
  void update_io();
  void check_startable() const;
  void check_overlaps() const;
  void launch(Job& job, dbk_event* event, dbk_event** out_done);
  void execute_job() noexcept;
  void wait_for_others();
  void run_steps();
  void read_job() noexcept;
  void rehearse() noexcept;
  void rehearsal_job() noexcept;
  void finish_run(std::exception_ptr failure) noexcept;
  void finish(std::exception_ptr failure) noexcept;

  std::shared_ptr<Executable> executable_;
  EventReserve events_;
  Stats stats_;
  std::unique_ptr<Activation> activation_;
  std::shared_ptr<const Plan> plan_;   // the last one: of the results, and of the next run unless something was let go
  InferOptions planned_;               // what plan_ was made for
  static constexpr uint64_t kNotInstalled = UINT64_MAX;
  uint64_t made_for_ = 0;              // Executable::program_count() when activation_ was made
  uint64_t installed_for_ = 0;         // Executable::ready_count() at the last install
  uint64_t late_room_ = UINT64_MAX;    // bytes that late values of plan_ may take
  std::vector<int64_t> extents_;       // per symbol, DBK_DIM_UNKNOWN where not known
  std::vector<bool> set_explicitly_;   // per symbol: by set_dim
  std::vector<Bound> inputs_, outputs_;
  std::vector<IoBinding> io_inputs_, io_outputs_;
  bool other_buffers_ = false;         // in those than the last install saw
  std::vector<dbk_event*> waits_;
  std::vector<dbk_copy> copies_;
  RunJob run_job_;
  RehearsalJob rehearsal_job_;
  ReadJob read_job_;
  uint32_t mode_ = 0;
  std::mutex done_mutex_;              // held while done_ changes hands
  dbk_event* done_ = nullptr;          // of the newest work; kept until the next
  std::atomic<bool> in_flight_{false};
  bool has_results_ = false, closed_ = false;
  bool rebound_ = false;  // since the last run
  bool rehearsed_ = false;
};

}  // namespace dbk
