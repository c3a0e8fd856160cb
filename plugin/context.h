// A host's session: its log, options, devices and everything made from them. Children register here, so that closing the context can
// take their device objects away while their handles live on.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "plugin/calibration.h"
#include "plugin/device.h"
#include "plugin/device_ranking.h"
#include "plugin/event.h"
#include "plugin/options.h"

namespace dbk {

// Something that owns device objects of a context.
class Child : public std::enable_shared_from_this<Child> {
 public:
  virtual ~Child() = default;
  virtual void release_device() = 0;  // [worker] drop every device object; later calls are refused
  virtual void device_lost() {}       // the device was made anew; objects of its lives before are dead
  virtual void restore_device(const Progress&) {}  // makes anew what device_lost() took, on the caller's thread
};

// The device of a compile.
struct DeviceChoice {
  uint32_t device = 0;
  std::string reason;
  bool open = false;  // nothing but the rank has decided: the graph may (device_choice.h)
  std::vector<RunEstimate> estimates;  // of the graph, by device; empty where none were made
};

class Context : public std::enable_shared_from_this<Context> {
 public:
  Context(const dbk_host& host, const dbk_options* options);
  ~Context();

  const Log& log() const { return log_; }
  const Options& options() const { return options_; }
  Options compile_options(const dbk_options* given) const;  // INVALID_ARGUMENT; what is not given is the context's, or the default
  Stats& stats() { return stats_; }
  EventPool& events() { return *events_; }
  const std::string& gpu_reason() const { return gpu_reason_; }

  uint32_t device_count() const { return static_cast<uint32_t>(devices_.size()); }
  Device& device(uint32_t index) const;  // OUT_OF_RANGE
  Device& cpu() const { return *devices_.back(); }
  // The device of a compile: an index, or by selector ("cpu", "gpu", index, api, uuid, name), environment and score.
  // Measures first where option calibration is auto, there is a choice, and nothing else decides.
  uint32_t choose_device(uint32_t index, const std::string& selector, const Progress& progress = silent);
  // The same from the options of a compile, whatever the graph. Policy cpu_only overrules everything; require_gpu chooses among GPUs where
  // nothing names a device.
  DeviceChoice choose_device(uint32_t index, const Options& compile, const Progress& progress);
  std::vector<DeviceInfo> device_infos() const;

  std::optional<DeviceRates> rates(uint32_t device) const;  // measured by this context, or found in the cache
  std::vector<std::optional<DeviceRates>> all_rates() const;  // by device, of one moment
  std::vector<DeviceRank> ranking() const;                  // by device
  // Measures the usable devices, or those of which nothing is known yet. Returns by device why it could not be measured.
  std::vector<std::string> measure(bool again, const Progress& progress);
  // While somebody has it nobody else measures anything. Whoever waits reports progress, which may end that.
  std::unique_lock<std::timed_mutex> measuring(const Progress& progress);

  void check_open() const;  // FAILED_PRECONDITION after close or fork
  bool forked() const;
  void close();             // waits, releases, joins
  void recover(uint32_t device, const Progress& progress);

  void add(Child& child, Device& device);
  // For destructors: takes the child's device objects away, also while or after the context closes, and forgets it.
  void remove(Child& child, Device& device) noexcept;

 private:
  uint32_t find_device(const std::string& selector) const;
  void measure_where_wanted(const Progress& progress);
  std::vector<std::shared_ptr<Child>> children_of(const Device& device) const;
  static void restore(const std::vector<std::shared_ptr<Child>>& children, const Progress& progress);

  Log log_;
  Options options_;
  uint64_t generation_;
  Stats stats_;
  std::shared_ptr<EventPool> events_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::string gpu_reason_;  // why there is no GPU device
  CalibrationFiles calibration_;
  std::mutex recovering_;               // held while a device is recovered
  std::timed_mutex measuring_;          // held while devices or kernels are measured
  std::vector<bool> unmeasurable_;      // by device; with measuring_
  std::atomic<uint32_t> default_told_{DBK_NONE};  // in the log
  mutable std::mutex rates_mutex_;
  std::vector<std::optional<DeviceRates>> rates_;  // by device; with rates_mutex_
  mutable std::mutex mutex_;
  std::set<std::pair<Child*, Device*>> children_;
  std::atomic<bool> closed_{false};
};

// The GPU devices of this machine; on failure none, and the reason in `why`. Implemented by plugin/gpu, or by plugin/gpu_absent.cpp
// in builds without Dawn.
std::vector<std::unique_ptr<Device>> find_gpu_devices(const Options& options, const Log& log, std::string& why);
std::unique_ptr<Device> make_cpu_device(const Options& options);

}  // namespace dbk
