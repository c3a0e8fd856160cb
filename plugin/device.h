// The one internal interface both devices implement. Calls marked [worker] happen on the device's worker thread; the others may come
// from any thread.
//
//   Device      what a context lists: information, support answers, buffers
//   Program     the device's share of an executable: kernels and weights
//   Activation  the device's share of a run: memory, bindings, execution
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "plugin/graph/plan.h"
#include "plugin/json.h"
#include "plugin/log.h"
#include "plugin/options.h"
#include "plugin/stats.h"
#include "plugin/tried.h"
#include "plugin/worker.h"

namespace dbk {

struct DeviceInfo {
  uint32_t kind = DBK_DEVICE_OTHER, api = DBK_API_NONE, vendor_id = 0, device_id = 0;
  std::array<uint8_t, 16> uuid{};
  uint64_t mem_total = 0, mem_free = 0, max_buffer = 0, max_binding = 0, features = 0;
  uint32_t score = 0, host_ptr_align = 0, subgroup_min = 0, subgroup_max = 0;
  std::string name, driver, unusable;
  std::string runtime;  // what runs kernels on it besides the driver, and tells its builds apart; empty: nothing
  Json limits = Json::object(), matrices = Json::array();  // for report "device"

  // How selectors and reports write them.
  const char* api_name() const;
  std::string uuid_text() const;
};

// Reports progress; throws CANCELLED when the host says stop. Only used on the caller's thread.
using Progress = std::function<void(uint32_t stage, uint64_t done, uint64_t total)>;
inline void silent(uint32_t, uint64_t, uint64_t) {}

// Host bytes of a parameter or constant, aligned to their elements. `revision` changes when they do.
struct Weight {
  const std::byte* data = nullptr;
  uint64_t bytes = 0;
  uint64_t revision = 0;
  bool borrowed = false;             // the host's own memory: there until the executable ends or the parameter is replaced
  uint64_t before = 0, behind = 0;   // bytes around them that are borrowed too
  std::shared_ptr<const std::byte[]> owner;  // null where they are borrowed, or the graph's
};
using Weights = std::vector<Weight>;  // by value id

// What weights take: bytes the plugin allocates for them, those among them that hold a weight once more in the order a kernel wants, bytes
// it uses where the host has them, and the values of those.
struct WeightUse {
  uint64_t allocated = 0, packed = 0, borrowed = 0;
  std::set<ValueId> in_place;
};

// What a program has made ready: replaced as a whole by the program, looked at by its activations and by reports on other threads.
template <class T>
using Current = std::shared_ptr<std::atomic<std::shared_ptr<const T>>>;

class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  virtual uint64_t size() const = 0;
  virtual void write(uint64_t offset, const void* src, uint64_t len) = 0;                                        // [worker]
  virtual void read(uint64_t offset, void* dst, uint64_t len) = 0;                                               // [worker]
  virtual void copy_from(uint64_t offset, DeviceBuffer& src, uint64_t src_offset, uint64_t len);                 // [worker]
  virtual std::byte* map(uint32_t mode, uint64_t offset, uint64_t len) = 0;                                      // [worker]
  virtual void unmap(bool write_back) = 0;                                                                       // [worker]
  virtual void return_borrowed() {}  // [worker] lets go of host memory; nothing uses the buffer afterwards
};

// Where an input comes from or an output goes to. Host memory is dense here: strided tensors pass through the run's scratch.
struct IoBinding {
  std::byte* host = nullptr;
  std::shared_ptr<DeviceBuffer> buffer;
  uint64_t buffer_offset = 0;
  bool changed = true;  // inputs: host bytes differ from what the device has
  bool borrowed = false;  // inputs: host bytes may have changed since the last run
};

struct RunRequest {
  std::span<IoBinding> inputs, outputs;
  uint32_t mode = 0;  // DBK_RUN_*
  const std::atomic<bool>* cancelled = nullptr;
  Stats* stats = nullptr;
  uint64_t late_room = UINT64_MAX;  // bytes that late values may take
};

// Kernels for a node, or forms of several nodes, that a measurement may decide between.
struct Trial {
  std::string about;                 // the kind of node; the device knows it again
  std::string name;                  // for the log
  std::vector<std::string> kernels;  // by name: what is taken without measurements, then others, the likely ones first
  std::string reference;             // the one whose results all must have
  bool whole = false;                // all are measured whatever the budget, once the trial is begun
  uint32_t copies = 1;               // that a graph has of the node, so that the round trip counts for less
  Tried tried = Tried::Nothing;      // already
  struct Alone {
    Graph graph;
    Options options;  // of its compile
  };
  std::function<Alone(const std::string& kernel)> alone;

  struct Time {
    std::string kernel;
    double microseconds;
  };
  struct Known {
    std::vector<Time> times;
    Tried tried = Tried::Nothing;
  };
};

class Activation {
 public:
  virtual ~Activation() = default;
  // [worker] Makes memory, launches and bindings for a plan. May be repeated: memory only grows.
  virtual void set_plan(std::shared_ptr<const Plan> plan, std::span<const IoBinding> inputs, std::span<const IoBinding> outputs) = 0;
  // [worker] Other host memory is bound than set_plan saw: room for what comparing lent inputs takes.
  virtual void inputs_bound(std::span<const IoBinding>) {}
  // [worker] Lets the driver finish what it leaves to the first dispatch of kernels, where the plan takes some that never ran.
  virtual void meet_kernels() {}
  // [worker] Goes the way of a run on memory of its own, where that is short: the first run then finds code loaded, pages touched and
  // drivers awake. Whatever ops answer; throws what keeps the device from running.
  virtual void rehearse() = 0;
  // [worker] Runs to the end. Allocates nothing but what late values need. Throws the failure.
  virtual void execute(const RunRequest& request) = 0;
  // [worker] Bytes of an output that is not bound to host memory, after a run.
  virtual void read(uint32_t output, uint64_t offset, void* dst, uint64_t len) = 0;
  // Type of a late output, after a run.
  virtual TensorType late_output(uint32_t output) const = 0;
};

class Program {
 public:
  virtual ~Program() = default;
  // Lets the device show that it gets right what kernels for the plan may want of it, and does without what it gets wrong. Comes before all
  // that chooses kernels for runs.
  virtual void prove(const Plan&) {}
  // Looks at weights whose bytes decide which kernels may read them, before anything is asked about them; those that have bytes already.
  virtual void judge(const Plan&, const Weights&) {}
  // Which those are.
  virtual std::vector<ValueId> judged_weights(const Plan&) const { return {}; }
  // Kernels and weights for a plan, so that runs find everything made. Repeated after parameters changed. The plan's types may be
  // incomplete; what it leaves open is made at bind. Called on the host's thread, for bodies that turn up at a bind on the worker.
  virtual void prepare(const Plan& plan, const Weights& weights, const Progress& progress) = 0;
  // Whether runs with other extents than the prepared plan's may take kernels that were not met when it was rehearsed; meets those of a plan.
  virtual bool has_other_kernels() const { return false; }
  virtual void warm_up(const Plan&) {}
  // [worker] What a plan needs beyond what was prepared: nodes whose place only the bound types decide may read other weights.
  virtual void complete(const Plan&) {}
  virtual std::unique_ptr<Activation> activate(Stats& stats) = 0;  // [worker]
  // What the weights of a plan take, or would take where it is not prepared.
  virtual WeightUse weight_use(const Plan& plan, const Weights& weights) const = 0;
  // Bytes that a run of the plan needs for intermediates of kernels, besides those of the plan.
  virtual uint64_t scratch_bytes(const Plan& plan) const = 0;
  // [worker] The executable ends: lets go of memory of the host. Nothing runs afterwards.
  virtual void return_borrowed() {}
  // Labels of the kernels that run a node, in the order of their dispatches, for reports.
  virtual std::string kernel_of(const Plan& plan, uint32_t node) const = 0;
  // Nodes of a plan, with types that the plan's graph may have, of which the device would like to know the fastest kernels: where less
  // than `wanted` was tried.
  virtual std::vector<Trial> trials(const Plan&, const Types&, Tried /*wanted*/) const { return {}; }
  // From now on kernels are chosen by all that has been measured; prepare() comes next.
  virtual void use_measured() {}
  // Where the device had several families of kernels for a node of its own: the one it took, its parameters, why, and why not the others.
  virtual std::optional<Json> choice_of(const Plan&, uint32_t) const { return std::nullopt; }
};

class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceInfo info() = 0;
  // Empty where the device has kernels for the node's op, else why it never runs the node itself, whatever its types.
  virtual std::string refuse_op(const Node& node) = 0;
  // Empty when the device runs the node itself, whose op it has and whose types are known, else why not.
  virtual std::string refuse(const Graph& graph, const Node& node, const Types& types) = 0;
  // Empty, or why the device cannot do what options of the context ask.
  virtual std::string refuse_options() { return ""; }
  virtual PlanRules plan_rules() = 0;
  virtual bool is_cpu() const = 0;
  virtual std::unique_ptr<Program> create_program(std::shared_ptr<const Graph> graph, Stats& stats) = 0;
  virtual std::unique_ptr<DeviceBuffer> create_buffer(uint64_t bytes, void* host_ptr, Stats& stats) = 0;  // [worker]
  // What was measured for a trial of a program, which programs made from now on use, and later processes.
  virtual void keep_measured(const std::string& /*about*/, const Trial::Known&) {}
  // Whether products of f32 are of operands in f16 where option precision asks for it.
  virtual bool rounds_products() const { return false; }
  // Whether forms may be measured, and chosen by times: not where options restrict kernels, as times are of those that the device chooses.
  virtual bool measures_forms() const { return false; }
  // What is known of a trial of forms; nothing where they may not be measured.
  virtual Trial::Known measured(const std::string& /*about*/) const { return {}; }
  // [worker] Makes a lost device anew; returns whether there was anything to do.
  bool recover() {
    const bool anew = make_anew();
    life_ += anew;
    return anew;
  }
  // How often it was made anew. What was made of the device in another life is dead.
  uint64_t life() const { return life_; }
  // [worker] Last call before the worker stops: lets go of all device objects that are not owned by others.
  virtual void shut_down() {}

  Worker& worker() { return worker_; }

 private:
  virtual bool make_anew() { return false; }  // [worker] where it is lost; on failure it stays lost

  Worker worker_;
  std::atomic<uint64_t> life_{0};  // written by the worker
};

}  // namespace dbk
