#include "plugin/gpu/gpu_device.h"

#include "plugin/context.h"
#include "plugin/gpu/families/matmul_choice.h"
#include "plugin/gpu/gpu_buffer.h"
#include "plugin/gpu/gpu_program.h"
#include "plugin/gpu/node_operands.h"
#include "plugin/gpu/vulkan_identity.h"

namespace dbk::gpu {

GpuDevice::GpuDevice(std::shared_ptr<DawnInstance> instance, wgpu::BackendType backend, size_t position, AdapterTraits traits,
                     const Options& options, std::shared_ptr<CacheFolder> cache, std::shared_ptr<TuningFiles> tuning)
    : instance_(std::move(instance)), backend_(backend), position_(position), traits_(std::move(traits)), options_(options),
      cache_(std::move(cache)), tuning_(std::move(tuning)) {}

DeviceInfo GpuDevice::info() { return traits_.info; }

std::string GpuDevice::refuse_options() {
  const std::string why = refuse_controls(traits_.caps, [&](const char* key) { return options_.told(key); });
  return why.empty() ? why : std::format("{}: {}", traits_.info.name, why);
}

PlanRules GpuDevice::plan_rules() {
  return {.alignment = traits_.storage_alignment, .max_arena = traits_.caps.max_buffer, .view_alignment = traits_.view_alignment,
          .shared_memory = traits_.shared_memory};
}

std::string GpuDevice::refuse_op(const Node& node) {
  if (node.on_host) return "option host_ops";
  return find_family(node.op->family) ? "" : std::format("{} has no GPU kernel", node.op->name);
}

std::string GpuDevice::refuse(const Graph& graph, const Node& node, const Types& types) {
  return NodeOperands(graph, node, types, nullptr).refusal(graph, *find_family(node.op->family), traits_.caps);
}

std::unique_ptr<dbk::Program> GpuDevice::create_program(std::shared_ptr<const Graph> graph, Stats& stats) {
  return std::make_unique<GpuProgram>(*this, std::move(graph), stats);
}

Capabilities GpuDevice::capabilities() const {
  Capabilities caps = traits_.caps;
  caps.matrices = not_wrong(std::move(caps.matrices), *matrix_verdicts_.load());
  return caps;
}

std::vector<MatrixConfig> GpuDevice::proven_matrices() {
  worker().call([this] {
    if (!instance_) fail(DBK_FAILED_PRECONDITION, "the context is destroyed");
    const auto make_scout = [this] { return new_device(); };
    matrix_verdicts_.store(std::make_shared<const MatrixVerdicts>(try_matrices(traits_, *matrix_verdicts_.load(), make_scout, instance_->log())));
  });
  return proven(traits_.caps.matrices, *matrix_verdicts_.load());
}

std::shared_ptr<const TunedProducts> GpuDevice::tuned() const {
  std::lock_guard lock(tuned_mutex_);
  return known_products();
}

const std::shared_ptr<const TunedProducts>& GpuDevice::known_products() const {
  if (!tuned_) tuned_ = std::make_shared<TunedProducts>(tuning_->load(traits_.info));
  return tuned_;
}

void GpuDevice::keep_measured(const std::string& about, const Trial::Known& known) {
  TunedProduct product{{}, known.tried};
  for (const Trial::Time& time : known.times) {
    const size_t space = time.kernel.find(' ');
    product.times.push_back({time.kernel.substr(0, space), time.kernel.substr(space + 1), time.microseconds});
  }
  TunedProducts added;
  if (const auto key = ProductKey::parse(about)) added.add(*key, std::move(product));
  else added.add_layer(about, std::move(product));
  std::lock_guard lock(tuned_mutex_);
  auto all = std::make_shared<TunedProducts>(*known_products());
  all->add(added);
  tuned_ = std::move(all);
  tuning_->store(traits_.info, added);
}

bool GpuDevice::rounds_products() const { return gpu::rounds_products(capabilities()); }

bool GpuDevice::measures_forms() const { return traits_.caps.controls == Controls{}; }

Trial::Known GpuDevice::measured(const std::string& about) const {
  Trial::Known known;
  if (!measures_forms()) return known;
  const std::shared_ptr<const TunedProducts> all = tuned();
  const TunedProduct* found = all->find_layer(about);
  if (!found) return known;
  known.tried = found->tried;
  for (const TunedProduct::Time& time : found->times) known.times.push_back({time.family + " " + time.variant, time.microseconds});
  return known;
}

std::unique_ptr<DeviceBuffer> GpuDevice::create_buffer(uint64_t bytes, void* host_ptr, Stats& stats) {
  const std::shared_ptr<Session> running = session();
  if (const std::string why = host_ptr ? refuse_memory(host_ptr, bytes) : ""; !why.empty())
    fail(DBK_UNIMPLEMENTED, "host_ptr cannot be used in place: {}", why);
  return std::make_unique<GpuBuffer>(running->device, bytes, host_ptr, stats);
}

std::string GpuDevice::refuse_memory(void* memory, uint64_t bytes) {
  const std::shared_ptr<Session> running = session();
  try {
    if (!running->scout) running->scout = new_device();
    HostMemory(running->scout, memory, bytes, wgpu::BufferUsage::Storage);
    return "";
  } catch (const Error& e) {
    running->scout = nullptr;
    instance_->log()(DBK_LOG_INFO, "{} bytes of host memory are copied: {}", bytes, e.what());
    return e.what();
  }
}

// An adapter gives one device and is used up, so each device comes from an adapter found anew.
std::shared_ptr<DawnDevice> GpuDevice::new_device() const {
  const std::vector<wgpu::Adapter> adapters = instance_->adapters(backend_);
  if (position_ >= adapters.size()) fail(DBK_UNAVAILABLE, "{} is gone", traits_.info.name);
  if (const std::string why = refuse_identity(traits_.identity, identity_of(adapters[position_])); !why.empty())
    fail(DBK_UNAVAILABLE, "{} is gone: {}", traits_.info.name, why);
  return std::make_shared<DawnDevice>(instance_, adapters[position_], traits_, options_.flag("validation"), cache_);
}

std::shared_ptr<Session> GpuDevice::session() {
  if (!instance_) fail(DBK_FAILED_PRECONDITION, "the context is destroyed");
  if (!session_) session_ = new_session();
  session_->device->check();
  return session_;
}

std::shared_ptr<Session> GpuDevice::new_session() const {
  auto made = std::make_shared<Session>();
  made->device = new_device();
  made->pipelines = std::make_unique<PipelineCache>(*made->device);
  return made;
}

// The lost session stays until there is another: without one nobody would know that there is something to recover.
bool GpuDevice::make_anew() {
  if (!session_ || !session_->device->lost()) return false;
  session_ = new_session();
  return true;
}

void GpuDevice::shut_down() {
  session_ = nullptr;
  instance_ = nullptr;
}

}  // namespace dbk::gpu

namespace dbk {

constexpr uint64_t kPipelineCacheBytes = 64 << 20;  // kernels of some twenty models

std::vector<std::unique_ptr<Device>> find_gpu_devices(const Options& options, const Log& log, std::string& why) {
  std::vector<std::unique_ptr<Device>> devices;
  try {
    const auto instance = std::make_shared<gpu::DawnInstance>(log);
    const auto cache = std::make_shared<CacheFolder>(cache_path(options), "pipelines", kPipelineCacheBytes, log);
    const auto tuning = std::make_shared<gpu::TuningFiles>(options, log);
    why = gpu::why_no_vulkan();
    const auto backend = why.empty() ? wgpu::BackendType::Undefined : wgpu::BackendType::OpenGLES;
    for (gpu::AdapterTraits& traits : gpu::read_adapters(instance->adapters(backend), options)) {
      traits.caps.controls = {options.text("matmul_family"), options.text("matmul_variant"), options.text("coop"), options.integer("coop_columns"),
                              options.real("precision_threshold"), options.real("oscillation_gate")};
      log(DBK_LOG_INFO, "GPU {}: {}, {}", devices.size(), traits.info.name, traits.info.driver);
      devices.push_back(std::make_unique<gpu::GpuDevice>(instance, backend, devices.size(), std::move(traits), options, cache, tuning));
    }
    if (!devices.empty()) why.clear();
    else if (why.empty()) why = "Dawn accepts none of the machine's adapters";
  } catch (const Error& e) {
    why = e.what();
  }
  return devices;
}

}  // namespace dbk
