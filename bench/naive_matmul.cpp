#include "naive_matmul.h"

#include <webgpu/webgpu_cpp.h>

#include <stdexcept>
#include <vector>

namespace bench {

namespace {

constexpr const char* kText = R"(
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> size: vec4<u32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
  if (at.x >= size.x || at.y >= size.x) {
    return;
  }
  var sum = 0.0;
  for (var k = 0u; k < size.x; k++) {
    sum += a[at.y * size.x + k] * b[k * size.x + at.x];
  }
  c[at.y * size.x + at.x] = sum;
}
)";

// The same toggles as the plugin's device has without validation.
constexpr const char* kToggles[] = {"skip_validation", "disable_robustness", "disable_workgroup_init",
                                    "disable_polyfills_on_integer_div_and_mod"};

wgpu::Instance make_instance() {
  const wgpu::InstanceFeatureName timed = wgpu::InstanceFeatureName::TimedWaitAny;
  wgpu::InstanceDescriptor descriptor;
  descriptor.requiredFeatureCount = 1;
  descriptor.requiredFeatures = &timed;
  return wgpu::CreateInstance(&descriptor);
}

}  // namespace

struct NaiveMatmul::State {
  wgpu::Instance instance = make_instance();
  wgpu::Device device;
  wgpu::ComputePipeline pipeline;
  wgpu::BindGroup group;
  uint32_t size = 0, groups = 0;

  void wait(wgpu::Future future) { instance.WaitAny(future, UINT64_MAX); }

  void open_device() {
    wgpu::RequestAdapterOptions options;
    options.backendType = wgpu::BackendType::Vulkan;
    wgpu::Adapter adapter;
    wait(instance.RequestAdapter(
        &options, wgpu::CallbackMode::WaitAnyOnly,
        [&](wgpu::RequestAdapterStatus, wgpu::Adapter found, wgpu::StringView) { adapter = found; }));
    if (!adapter) throw std::runtime_error("no Vulkan adapter");
    wgpu::DawnTogglesDescriptor toggles;
    toggles.enabledToggleCount = std::size(kToggles);
    toggles.enabledToggles = kToggles;
    wgpu::DeviceDescriptor descriptor;
    descriptor.nextInChain = &toggles;
    wait(adapter.RequestDevice(&descriptor, wgpu::CallbackMode::WaitAnyOnly,
                               [&](wgpu::RequestDeviceStatus, wgpu::Device made, wgpu::StringView) { device = made; }));
    if (!device) throw std::runtime_error("no device");
  }

  void make_pipeline() {
    wgpu::ShaderSourceWGSL source;
    source.code = kText;
    wgpu::ShaderModuleDescriptor module;
    module.nextInChain = &source;
    wgpu::ComputePipelineDescriptor descriptor;
    descriptor.compute.module = device.CreateShaderModule(&module);
    descriptor.compute.entryPoint = "main";
    pipeline = device.CreateComputePipeline(&descriptor);
  }

  wgpu::Buffer buffer(const void* data, uint64_t bytes, wgpu::BufferUsage usage) {
    wgpu::BufferDescriptor descriptor;
    descriptor.size = bytes;
    descriptor.usage = usage | wgpu::BufferUsage::CopyDst;
    const wgpu::Buffer made = device.CreateBuffer(&descriptor);
    device.GetQueue().WriteBuffer(made, 0, data, bytes);
    return made;
  }
};

NaiveMatmul::NaiveMatmul(uint32_t size) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.open_device();
  s.make_pipeline();
  s.size = size;
  s.groups = (size + 7) / 8;
  const std::vector<float> data = values(size_t{size} * size);
  const uint32_t params[4] = {size, 0, 0, 0};
  wgpu::BindGroupEntry entries[4];
  for (uint32_t i = 0; i < 4; ++i) {
    entries[i].binding = i;
    entries[i].buffer = i < 3 ? s.buffer(data.data(), data.size() * sizeof(float), wgpu::BufferUsage::Storage)
                              : s.buffer(params, sizeof params, wgpu::BufferUsage::Uniform);
  }
  wgpu::BindGroupDescriptor descriptor;
  descriptor.layout = s.pipeline.GetBindGroupLayout(0);
  descriptor.entryCount = 4;
  descriptor.entries = entries;
  s.group = s.device.CreateBindGroup(&descriptor);
  run();
}

NaiveMatmul::~NaiveMatmul() = default;

void NaiveMatmul::run() {
  State& s = *state_;
  const wgpu::CommandEncoder encoder = s.device.CreateCommandEncoder();
  const wgpu::ComputePassEncoder pass = encoder.BeginComputePass();
  pass.SetPipeline(s.pipeline);
  pass.SetBindGroup(0, s.group);
  pass.DispatchWorkgroups(s.groups, s.groups);
  pass.End();
  const wgpu::CommandBuffer commands = encoder.Finish();
  s.device.GetQueue().Submit(1, &commands);
  s.wait(s.device.GetQueue().OnSubmittedWorkDone(wgpu::CallbackMode::WaitAnyOnly,
                                                 [](wgpu::QueueWorkDoneStatus, wgpu::StringView) {}));
}

Work NaiveMatmul::work() const { return product_work({state_->size, state_->size, state_->size}); }

}  // namespace bench
