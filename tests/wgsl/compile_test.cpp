// Every program of every family through the compiler of a device with validation on: the texts for that device's own capabilities and for
// those of other adapters that it can compile; and those for matrices of subgroups that it lacks through the compiler of WGSL alone.
#include <unity.h>
#include <webgpu/webgpu_cpp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "plugin/gpu/families/matrix_proof.h"
#include "plugin/gpu/families/vendor_table.h"
#include "tests/wgsl/example_nodes.h"

using namespace dbk;
using namespace dbk::gpu;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

wgpu::Instance instance;
wgpu::Device device;
bool has_f16 = false, has_subgroups = false;
std::vector<wgpu::SubgroupMatrixConfig> matrices;

template <class Future>
void wait(Future future) {
  instance.WaitAny(future, UINT64_MAX);
}

wgpu::Adapter open_adapter() {
  const wgpu::InstanceFeatureName timed = wgpu::InstanceFeatureName::TimedWaitAny;
  const char* experimental = "allow_unsafe_apis";  // subgroup matrices
  wgpu::DawnTogglesDescriptor toggles;
  toggles.enabledToggleCount = 1;
  toggles.enabledToggles = &experimental;
  wgpu::InstanceDescriptor descriptor;
  descriptor.nextInChain = &toggles;
  descriptor.requiredFeatureCount = 1;
  descriptor.requiredFeatures = &timed;
  instance = wgpu::CreateInstance(&descriptor);
  wgpu::Adapter adapter;
  const char* for_adapters[] = {experimental, "use_vulkan_memory_model"};
  wgpu::DawnTogglesDescriptor adapter_toggles;
  adapter_toggles.enabledToggleCount = std::size(for_adapters);
  adapter_toggles.enabledToggles = for_adapters;
  wgpu::RequestAdapterOptions options;
  options.nextInChain = &adapter_toggles;
  options.backendType = wgpu::BackendType::Vulkan;
  wait(instance.RequestAdapter(
      &options, wgpu::CallbackMode::WaitAnyOnly,
      [&](wgpu::RequestAdapterStatus, wgpu::Adapter found, wgpu::StringView) { adapter = found; }));
  return adapter;
}

bool open_device() {
  const wgpu::Adapter adapter = open_adapter();
  if (!adapter) return false;
  has_f16 = adapter.HasFeature(wgpu::FeatureName::ShaderF16);
  has_subgroups = adapter.HasFeature(wgpu::FeatureName::Subgroups);
  std::vector<wgpu::FeatureName> features;
  if (has_f16) features.push_back(wgpu::FeatureName::ShaderF16);
  if (has_subgroups) features.push_back(wgpu::FeatureName::Subgroups);
  if (has_subgroups && adapter.HasFeature(wgpu::FeatureName::ChromiumExperimentalSubgroupMatrix)) {
    features.push_back(wgpu::FeatureName::ChromiumExperimentalSubgroupMatrix);
    wgpu::AdapterPropertiesSubgroupMatrixConfigs configs;
    wgpu::AdapterInfo info;
    info.nextInChain = &configs;
    adapter.GetInfo(&info);
    matrices.assign(configs.configs, configs.configs + configs.configCount);
  }
  wgpu::Limits limits;
  adapter.GetLimits(&limits);
  wgpu::DeviceDescriptor descriptor;
  descriptor.requiredFeatureCount = features.size();
  descriptor.requiredFeatures = features.data();
  descriptor.requiredLimits = &limits;
  descriptor.SetUncapturedErrorCallback([](const wgpu::Device&, wgpu::ErrorType, wgpu::StringView) {});
  wait(adapter.RequestDevice(&descriptor, wgpu::CallbackMode::WaitAnyOnly,
                             [](wgpu::RequestDeviceStatus, wgpu::Device made, wgpu::StringView) { device = made; }));
  return device != nullptr;
}

wgpu::PipelineLayout layout_of(const Program& program) {
  std::vector<wgpu::BindGroupLayoutEntry> entries(program.reads + program.writes + 1);
  for (uint32_t i = 0; i < entries.size(); ++i) {
    entries[i].binding = i;
    entries[i].visibility = wgpu::ShaderStage::Compute;
    entries[i].buffer.type = i < program.reads        ? wgpu::BufferBindingType::ReadOnlyStorage
                             : i + 1 < entries.size() ? wgpu::BufferBindingType::Storage
                                                      : wgpu::BufferBindingType::Uniform;
  }
  wgpu::BindGroupLayoutDescriptor group;
  group.entryCount = entries.size();
  group.entries = entries.data();
  const wgpu::BindGroupLayout made = device.CreateBindGroupLayout(&group);
  wgpu::PipelineLayoutDescriptor layout;
  layout.bindGroupLayoutCount = 1;
  layout.bindGroupLayouts = &made;
  return device.CreatePipelineLayout(&layout);
}

// What Dawn says against the program, or nothing.
std::string complaint(const Program& program, const std::string& text) {
  device.PushErrorScope(wgpu::ErrorFilter::Validation);
  wgpu::ShaderSourceWGSL source;
  source.code = wgpu::StringView(text.data(), text.size());
  wgpu::ShaderModuleDescriptor module;
  module.nextInChain = &source;
  wgpu::ComputePipelineDescriptor pipeline;
  pipeline.layout = layout_of(program);
  pipeline.compute.module = device.CreateShaderModule(&module);
  pipeline.compute.entryPoint = "main";
  device.CreateComputePipeline(&pipeline);
  std::string error;
  wait(device.PopErrorScope(wgpu::CallbackMode::WaitAnyOnly,
                            [&](wgpu::PopErrorScopeStatus, wgpu::ErrorType, wgpu::StringView message) {
                              error.assign(message.data ? message.data : "", message.data ? message.length : 0);
                            }));
  return error;
}

bool is(wgpu::SubgroupMatrixComponentType type, const std::string& name) {
  using enum wgpu::SubgroupMatrixComponentType;
  const std::map<std::string, wgpu::SubgroupMatrixComponentType> types{{"f32", F32}, {"f16", F16}, {"u32", U32}, {"i32", I32}, {"u8", U8}, {"i8", I8}};
  return types.at(name) == type;
}

bool device_has(const MatrixConfig& wanted) {
  return std::ranges::any_of(matrices, [&](const wgpu::SubgroupMatrixConfig& c) {
    return c.M == wanted.m && c.N == wanted.n && c.K == wanted.k && is(c.componentType, wanted.component) && is(c.resultComponentType, wanted.result);
  });
}

// All programs of the examples on an adapter, and those that prove its matrices.
std::vector<Program> programs_on(const Capabilities& caps, std::deque<wgsl::ExampleNode>& nodes) {
  std::vector<Program> made;
  for (wgsl::ExampleNode& node : nodes) {
    const TypedNode view = node.view();
    const Family* family = find_family(view.op->family);
    if (family->refuse(view, caps).empty()) family->programs(view, caps, made);
  }
  for (const MatrixConfig& config : caps.matrices)
    if (const auto proof = matrix_proof(config, caps)) made.push_back(proof->program);
  return made;
}

using Programs = std::map<std::string, Program>;  // by their texts

Capabilities possible(Capabilities caps) {
  caps.f16 = caps.f16 && has_f16;
  caps.subgroups = caps.subgroups && has_subgroups;
  return caps;
}

// With the matrices of subgroups that the device has; and what other matrices bring along without being used: packing, readers of what is packed.
void test_every_program_compiles() {
  Programs programs;
  std::deque<wgsl::ExampleNode> nodes = wgsl::example_nodes();
  for (const wgsl::Adapter& adapter : wgsl::example_adapters()) {
    Capabilities caps = possible(adapter.caps);
    for (const Program& p : programs_on(caps, nodes))
      if (!p.on_matrices) programs.emplace(p.source.text(), p);
    std::erase_if(caps.matrices, [](const MatrixConfig& c) { return !device_has(c); });
    for (Program& p : programs_on(caps, nodes)) programs.emplace(p.source.text(), p);
  }
  for (const auto& [text, program] : programs) {
    const std::string error = complaint(program, text);
    TEST_ASSERT_TRUE_MESSAGE(error.empty(), (program.label + ": " + error).c_str());
  }
  std::printf("%zu programs compiled\n", programs.size());
}

// Those for matrices that the device lacks, in the blocks of every vendor.
Programs programs_of_other_matrices() {
  Programs programs;
  std::deque<wgsl::ExampleNode> nodes = wgsl::example_nodes();
  for (const wgsl::Adapter& adapter : wgsl::example_adapters()) {
    Capabilities caps = possible(adapter.caps);
    std::erase_if(caps.matrices, device_has);
    if (caps.matrices.empty()) continue;
    for (const VendorRow& row : vendor_rows()) {
      caps.vendor = row.vendor, caps.architecture = row.architecture;
      for (const Program& p : programs_on(caps, nodes))
        if (p.on_matrices) programs.emplace(p.source.text(), p);
    }
  }
  return programs;
}

// Dawn asks whether the device has the matrices of a pipeline when its program is SPIR-V: all that can be wrong before is told first.
void test_programs_of_other_matrices_become_spirv() {
  if (matrices.empty()) TEST_IGNORE_MESSAGE("the device does not know the language of matrices");
  const Programs programs = programs_of_other_matrices();
  for (const auto& [text, program] : programs) {
    const std::string error = complaint(program, text);
    const bool read = error.starts_with("Subgroup matrix ") && error.find("found which is not supported by the device") != std::string::npos;
    TEST_ASSERT_TRUE_MESSAGE(read, (program.label + ": " + error).c_str());
  }
  std::printf("%zu programs for other matrices became SPIR-V\n", programs.size());
}

}  // namespace

int main() {
  if (!open_device()) {
    std::puts("no Vulkan adapter: programs were not compiled");
    return std::getenv("CI") || std::getenv("DAYBREAK_REQUIRE_GPU") ? 1 : 77;
  }
  UNITY_BEGIN();
  RUN_TEST(test_every_program_compiles);
  RUN_TEST(test_programs_of_other_matrices_become_spirv);
  return UNITY_END();
}
