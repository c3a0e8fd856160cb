// The CPU device: whole graphs by host functions and oneDNN, on the same plan as every device, in host memory.
#include <omp.h>
#include <sys/sysinfo.h>

#include "plugin/context.h"
#include "plugin/cpu/cpu_buffer.h"
#include "plugin/cpu/cpu_program.h"
#include "plugin/cpu/isa.h"

namespace dbk {

namespace {

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
    info_.host_ptr_align = 16;  // the largest element, and whole vectors behind the last one
    info_.score = 100;
  }

  DeviceInfo info() override {
    struct sysinfo memory {};
    sysinfo(&memory);
    DeviceInfo info = info_;
    info.mem_free = (uint64_t{memory.freeram} + memory.bufferram) * memory.mem_unit;
    return info;
  }
  std::string refuse_op(const Node&) override { return ""; }
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

 private:
  DeviceInfo info_;
  int threads_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(const Options& options) { return std::make_unique<CpuDevice>(options); }

}  // namespace dbk
