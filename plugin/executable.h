// A compiled graph: placement, base plan, parameters and the device's program. Immutable once ready, but for set_param.
#pragma once

#include <mutex>
#include <set>

#include "plugin/context.h"
#include "plugin/device.h"
#include "plugin/prepared_weights.h"

namespace dbk {

class Run;

struct Param {
  ValueId value = DBK_NONE;
  TensorType type;
  ParamData data;                                // ptr null: not set
  std::shared_ptr<const std::byte[]> aligned;    // copy, where borrowed bytes are not aligned
  uint64_t revision = 0;
};

class Executable : public Child {
 public:
  // `probe`: made to be measured; its statistics count in no others. `inferred`: the types of the graph at its representative extents, where
  // somebody knows them.
  Executable(std::shared_ptr<Context> context, uint32_t device, Graph graph, const Options& options, uint32_t mode,
             const Progress& progress, bool probe = false, std::optional<Types> inferred = std::nullopt);
  ~Executable() override;

  const Graph& graph() const { return *graph_; }
  std::shared_ptr<const Graph> shared_graph() const { return graph_; }
  Device& device() const { return *device_; }
  uint32_t device_index() const { return device_index_; }
  const DeviceChoice& device_choice() const { return device_choice_; }  // why it is this one, for reports
  void set_device_choice(DeviceChoice choice) { device_choice_ = std::move(choice); }  // by whoever compiles, before anybody else has it
  const Plan& plan() const { return *base_plan_; }
  std::shared_ptr<const Plan> static_plan() const { return static_ ? base_plan_ : nullptr; }
  const std::vector<bool>& deciding_inputs() const { return deciding_inputs_; }
  const std::set<uint32_t>& input_symbols() const { return input_symbols_; }  // those a run has to know
  // Kept alive by whoever asks, as a recovery replaces it. FAILED_PRECONDITION after the context closed.
  std::shared_ptr<Program> program() const;
  uint64_t program_count() const { return program_count_; }  // rises with each replacement: runs of the one before are of no use
  Stats& stats() { return stats_; }
  Context& context() const { return *context_; }

  void info(dbk_exec_info& out) const;
  uint32_t count(uint32_t role) const;
  void io(uint32_t role, uint32_t index, dbk_io_info& out) const;
  uint32_t find(uint32_t role, const std::string& name) const;
  bool rank_known(ValueId value) const;                  // before anything is bound
  std::vector<int64_t> dims_of(ValueId value) const;     // as declared, else the inferred rank with unknown extents
  ValueId value_of(uint32_t role, uint32_t index) const;  // checks role and index

  void set_param(uint32_t index, const dbk_tensor& tensor);
  void remove_param(uint32_t index);
  void adopt_params(Executable& other);  // data by name, for parameters that have none
  void make_ready(const Progress& progress);
  void check_open() const;      // throws FAILED_PRECONDITION where it or the context is destroyed
  void check_runnable() const;  // throws FAILED_PRECONDITION unless ready and open

  // A plan for the given types that keeps to the memory budget.
  std::shared_ptr<const Plan> make_plan_for(const Types& types) const;
  WeightUse weight_use(const Plan& plan) const;
  uint64_t run_bytes(const Plan& plan) const;  // memory of one run, apart from late values
  uint64_t late_room(const Plan& plan) const;  // what the memory budget leaves for those

  uint64_t ready_count() const { return ready_count_; }  // rises when weights may have moved: runs then bind anew
  // Throws unless runnable; false where the run's memory was installed for another ready_count(). A run in flight blocks set_param.
  bool begin_run(uint64_t installed_for);
  void end_run() noexcept;
  void close();  // exec_destroy: waits for runs in flight, refuses everything afterwards
  void release_device() override;
  void device_lost() override;
  void restore_device(const Progress& progress) override;

 private:
  std::vector<Placement> placement_for(const Types& types) const;
  const Plan* frame() const;
  Param& changeable_param(uint32_t index);
  void wait_until_idle(std::unique_lock<std::mutex>& lock);  // of mutex_
  void become_ready(const Progress& progress);               // with mutex_, idle
  void judge_planned();                                      // the weights of an executable that never becomes ready
  void align_params();
  std::shared_ptr<const Plan> plan_to_prepare() const;
  std::function<void(const Trial&)> form_measurement(const Progress& progress);  // null: nothing is to be measured
  void tune(Program& program, const Plan& plan, const Weights& given, const Progress& progress);
  std::shared_ptr<Plan> plan_for(const Types& types) const;  // whatever the budget
  void warm_up_other_extents(Program& program, const Progress& progress);
  void check_budget(uint64_t run, uint64_t weights) const;
  static bool misaligned(const Param& param);
  Weights weights() const;
  void replace_program();  // [worker]
  void set_data(Param& param, ParamData data);  // with mutex_

  std::shared_ptr<Context> context_;
  uint32_t device_index_;
  DeviceChoice device_choice_;
  Device* device_;
  std::shared_ptr<const Graph> graph_;
  std::vector<Placement> placement_;  // what each node is unless a plan makes it a view or its values are late
  std::vector<bool> deciding_inputs_;
  std::set<uint32_t> input_symbols_;
  std::shared_ptr<const Plan> base_plan_;
  bool static_ = false;     // no symbols of inputs, no open shapes: every run shares base_plan_
  bool plan_only_ = false;
  bool require_gpu_ = false;
  bool probe_ = false;      // made to be measured
  uint64_t tuning_nanoseconds_ = 0;  // that compiling took to measure
  int64_t budget_ = 0;
  Stats stats_;
  std::atomic<std::shared_ptr<Program>> program_;  // replaced on the worker
  std::atomic<uint64_t> program_count_{0};

  mutable std::mutex mutex_;       // held by make_ready for as long as it takes
  mutable std::mutex data_mutex_;  // held for a moment, within mutex_ by those who change Param::data; io() needs no other
  std::condition_variable idle_;
  std::vector<Param> params_;
  PreparedWeights prepared_;
  std::atomic<bool> ready_{false}, closed_{false};
  bool lost_ = false, was_ready_ = false;  // since device_lost(), until ready again
  uint64_t life_ = 0;                      // of the device, when the program was last prepared
  uint32_t in_flight_ = 0;
  uint64_t next_revision_ = 1;
  std::atomic<uint64_t> ready_count_{0};
};

}  // namespace dbk
