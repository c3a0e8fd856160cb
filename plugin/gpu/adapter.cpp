#include "plugin/gpu/adapter.h"

#include <algorithm>

#include "plugin/cache_folder.h"
#include "plugin/gpu/vulkan_identity.h"

namespace dbk::gpu {

namespace {

struct FeatureRow {
  wgpu::FeatureName name;
  uint64_t bit;  // in dbk_device_info.features; 0 = internal
};

// Everything useful, all of it optional: core WebGPU alone must work.
constexpr FeatureRow kFeatures[] = {
    {wgpu::FeatureName::ShaderF16, DBK_FEATURE_F16},
    {wgpu::FeatureName::Subgroups, DBK_FEATURE_SUBGROUPS},
    {wgpu::FeatureName::ChromiumExperimentalSubgroupMatrix, DBK_FEATURE_SUBGROUP_MATRIX},
    {wgpu::FeatureName::TimestampQuery, DBK_FEATURE_TIMESTAMPS},
    {wgpu::FeatureName::BufferMapExtendedUsages, DBK_FEATURE_MAP_IN_PLACE},
    {wgpu::FeatureName::HostMappedPointer, DBK_FEATURE_HOST_POINTER},
};

uint32_t api_of(wgpu::BackendType backend) {
  switch (backend) {
    case wgpu::BackendType::Vulkan: return DBK_API_VULKAN;
    case wgpu::BackendType::D3D12: return DBK_API_D3D12;
    case wgpu::BackendType::Metal: return DBK_API_METAL;
    case wgpu::BackendType::D3D11: return DBK_API_D3D11;
    case wgpu::BackendType::OpenGL: return DBK_API_OPENGL;
    case wgpu::BackendType::OpenGLES: return DBK_API_OPENGLES;
    default: return DBK_API_NONE;
  }
}

// Until devices are calibrated: real GPUs before the CPU (100), software adapters behind it, older interfaces behind newer ones.
uint32_t score_of(uint32_t kind, uint32_t api) {
  const uint32_t base = kind == DBK_DEVICE_DISCRETE_GPU ? 1000 : kind == DBK_DEVICE_INTEGRATED_GPU ? 500 : kind == DBK_DEVICE_SOFTWARE_GPU ? 10 : 200;
  const bool modern = api == DBK_API_VULKAN || api == DBK_API_D3D12 || api == DBK_API_METAL;
  return modern ? base : base / 2;
}

uint32_t kind_of(wgpu::AdapterType type) {
  switch (type) {
    case wgpu::AdapterType::DiscreteGPU: return DBK_DEVICE_DISCRETE_GPU;
    case wgpu::AdapterType::IntegratedGPU: return DBK_DEVICE_INTEGRATED_GPU;
    case wgpu::AdapterType::CPU: return DBK_DEVICE_SOFTWARE_GPU;
    default: return DBK_DEVICE_OTHER;
  }
}

const char* component_name(wgpu::SubgroupMatrixComponentType type) {
  switch (type) {
    case wgpu::SubgroupMatrixComponentType::F32: return "f32";
    case wgpu::SubgroupMatrixComponentType::F16: return "f16";
    case wgpu::SubgroupMatrixComponentType::U32: return "u32";
    case wgpu::SubgroupMatrixComponentType::I32: return "i32";
    case wgpu::SubgroupMatrixComponentType::U8: return "u8";
    case wgpu::SubgroupMatrixComponentType::I8: return "i8";
  }
  return "other";
}

void read_matrices(const wgpu::Adapter& adapter, Capabilities& caps) {
  wgpu::AdapterPropertiesSubgroupMatrixConfigs configs;
  wgpu::AdapterInfo info;
  info.nextInChain = &configs;
  adapter.GetInfo(&info);
  for (size_t i = 0; i < configs.configCount; ++i) {
    const wgpu::SubgroupMatrixConfig& c = configs.configs[i];
    caps.matrices.push_back({c.M, c.N, c.K, component_name(c.componentType), component_name(c.resultComponentType)});
  }
}

// llvmpipe's matrices take subgroups of 8: with 16 its compiler crashes (Mesa 26.1, LP_NATIVE_VECTOR_WIDTH=512).
bool matrices_work(const AdapterTraits& t) {
  constexpr uint32_t kMesa = 0x10005;
  return t.info.kind != DBK_DEVICE_SOFTWARE_GPU || t.info.vendor_id != kMesa || (t.info.subgroup_min == 8 && t.info.subgroup_max == 8);
}

void read_heaps(const wgpu::Adapter& adapter, DeviceInfo& info) {
  wgpu::AdapterPropertiesMemoryHeaps heaps;
  wgpu::AdapterInfo adapter_info;
  adapter_info.nextInChain = &heaps;
  adapter.GetInfo(&adapter_info);
  for (size_t i = 0; i < heaps.heapCount; ++i)
    if (heaps.heapInfo[i].properties & wgpu::HeapProperty::DeviceLocal) info.mem_total = std::max(info.mem_total, heaps.heapInfo[i].size);
}

// Lent weights are read by every run: where the GPU has memory of its own, across the bus each time, which is dearer than one copy.
void read_host_pointer(const wgpu::Adapter& adapter, AdapterTraits& t) {
  wgpu::DawnHostMappedPointerLimits host;
  wgpu::Limits limits;
  limits.nextInChain = &host;
  adapter.GetLimits(&limits);
  t.info.host_ptr_align = host.hostMappedPointerAlignment;
  if (t.info.kind == DBK_DEVICE_INTEGRATED_GPU || t.info.kind == DBK_DEVICE_SOFTWARE_GPU) t.info.features |= DBK_FEATURE_BORROW;
}

void read_limits(AdapterTraits& t, const Options& options) {
  const wgpu::Limits& l = t.limits;
  t.caps.max_binding = std::min<uint64_t>(l.maxStorageBufferBindingSize, l.maxBufferSize);
  if (const int64_t most = options.integer("max_binding"); most > 0) t.caps.max_binding = std::min(t.caps.max_binding, static_cast<uint64_t>(most));
  t.info.max_binding = t.caps.max_binding;
  t.caps.max_buffer = t.info.max_buffer = l.maxBufferSize;
  t.caps.max_storage_bindings = l.maxStorageBuffersPerShaderStage;
  t.caps.max_groups = l.maxComputeWorkgroupsPerDimension;
  t.caps.max_group_size = std::min(l.maxComputeInvocationsPerWorkgroup, l.maxComputeWorkgroupSizeX);
  t.caps.max_group_memory = l.maxComputeWorkgroupStorageSize;
  t.caps.robust = options.flag("validation");
  t.storage_alignment = std::max<uint64_t>(l.minStorageBufferOffsetAlignment, 256);
  t.view_alignment = std::max<uint64_t>(l.minStorageBufferOffsetAlignment, 16);
  t.uniform_alignment = l.minUniformBufferOffsetAlignment;
  t.info.limits = {
      {"max_workgroups", l.maxComputeWorkgroupsPerDimension}, {"max_workgroup_size", t.caps.max_group_size},
      {"max_workgroup_memory", l.maxComputeWorkgroupStorageSize}, {"max_storage_buffers", l.maxStorageBuffersPerShaderStage},
      {"storage_alignment", l.minStorageBufferOffsetAlignment}, {"max_immediate_bytes", l.maxImmediateSize}};
}

void describe_matrices(AdapterTraits& t) {
  for (const MatrixConfig& c : t.caps.matrices)
    t.info.matrices.push_back({{"m", c.m}, {"n", c.n}, {"k", c.k}, {"component", c.component}, {"result", c.result}});
}

AdapterTraits read_adapter(const wgpu::Adapter& adapter, const Options& options) {
  AdapterTraits t;
  wgpu::AdapterInfo info;
  adapter.GetInfo(&info);
  adapter.GetLimits(&t.limits);
  t.identity = identity_of(adapter);
  t.info.name = to_text(info.device);
  t.info.driver = t.identity.driver;
  t.info.runtime = std::format("Dawn {}", library_identity(reinterpret_cast<const void*>(&wgpuCreateInstance)));
  t.info.kind = kind_of(info.adapterType);
  t.info.api = t.identity.model.api;
  t.info.vendor_id = info.vendorID;
  t.info.device_id = info.deviceID;
  for (const FeatureRow& row : kFeatures) {
    if (!adapter.HasFeature(row.name)) continue;
    t.features.push_back(row.name);
    t.info.features |= row.bit;
  }
  t.caps.f16 = t.info.features & DBK_FEATURE_F16;
  t.caps.subgroups = t.info.features & DBK_FEATURE_SUBGROUPS;
  t.caps.vendor = info.vendorID;
  t.caps.architecture = to_text(info.architecture);
  const std::string& kernels = options.text("kernels");
  t.caps.cpu_adapter = kernels == "auto" ? t.info.kind == DBK_DEVICE_SOFTWARE_GPU : kernels == "software";
  t.caps.subgroup_min = t.info.subgroup_min = info.subgroupMinSize;
  t.caps.subgroup_max = t.info.subgroup_max = info.subgroupMaxSize;
  t.map_in_place = t.info.features & DBK_FEATURE_MAP_IN_PLACE;
  t.shared_memory = t.map_in_place && options.flag("shared_memory");
  if (t.info.features & DBK_FEATURE_HOST_POINTER) read_host_pointer(adapter, t);
  if (!matrices_work(t)) t.info.features &= ~static_cast<uint64_t>(DBK_FEATURE_SUBGROUP_MATRIX);
  if (t.info.features & DBK_FEATURE_SUBGROUP_MATRIX) read_matrices(adapter, t.caps);
  if (adapter.HasFeature(wgpu::FeatureName::AdapterPropertiesMemoryHeaps)) read_heaps(adapter, t.info);
  read_limits(t, options);
  describe_matrices(t);
  t.info.score = score_of(t.info.kind, t.info.api);
  return t;
}

}  // namespace

AdapterIdentity identity_of(const wgpu::Adapter& adapter) {
  wgpu::AdapterInfo info;
  adapter.GetInfo(&info);
  return {{api_of(info.backendType), info.vendorID, info.deviceID}, to_text(info.description)};
}

std::vector<AdapterTraits> read_adapters(std::span<const wgpu::Adapter> adapters, const Options& options) {
  std::vector<AdapterTraits> list;
  for (const wgpu::Adapter& adapter : adapters) list.push_back(read_adapter(adapter, options));
  std::vector<DeviceInfo*> infos;
  for (AdapterTraits& traits : list) infos.push_back(&traits.info);
  add_vulkan_identities(infos);
  return list;
}

}  // namespace dbk::gpu
