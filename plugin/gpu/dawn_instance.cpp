#include "plugin/gpu/dawn_instance.h"

#include "host_fallback/error.h"

namespace dbk::gpu {

namespace {

uint32_t level_of(wgpu::LoggingType type) {
  switch (type) {
    case wgpu::LoggingType::Error: return DBK_LOG_ERROR;
    case wgpu::LoggingType::Warning: return DBK_LOG_WARNING;
    case wgpu::LoggingType::Info: return DBK_LOG_INFO;
    default: return DBK_LOG_DEBUG;
  }
}

}  // namespace

DawnInstance::DawnInstance(const Log& log) : log_(log) {
  dawn::native::DawnInstanceDescriptor dawn_descriptor;
  dawn_descriptor.SetLoggingCallback(
      [](wgpu::LoggingType type, wgpu::StringView message, Log* sink) noexcept {
        sink->write(level_of(type), "Dawn: " + to_text(message));
      },
      &log_);
  const char* toggles[] = {"allow_unsafe_apis"};  // subgroup matrices and host pointers are experimental in Dawn
  wgpu::DawnTogglesDescriptor toggle_descriptor;
  toggle_descriptor.enabledToggleCount = std::size(toggles);
  toggle_descriptor.enabledToggles = toggles;
  toggle_descriptor.nextInChain = &dawn_descriptor;
  const wgpu::InstanceFeatureName features[] = {wgpu::InstanceFeatureName::TimedWaitAny};
  wgpu::InstanceDescriptor descriptor;
  descriptor.requiredFeatureCount = std::size(features);
  descriptor.requiredFeatures = features;
  descriptor.nextInChain = &toggle_descriptor;
  instance_ = std::make_unique<dawn::native::Instance>(&descriptor);
}

std::vector<wgpu::Adapter> DawnInstance::adapters(wgpu::BackendType backend) const {
  const char* toggles[] = {"allow_unsafe_apis", "use_vulkan_memory_model", "vulkan_enable_f16_on_nvidia"};
  wgpu::DawnTogglesDescriptor toggle_descriptor;
  toggle_descriptor.enabledToggleCount = std::size(toggles);
  toggle_descriptor.enabledToggles = toggles;
  wgpu::RequestAdapterOptions options;
  options.nextInChain = &toggle_descriptor;
  options.backendType = backend;
  std::vector<wgpu::Adapter> found;
  for (const dawn::native::Adapter& native : instance_->EnumerateAdapters(&options)) {
    wgpu::Adapter adapter(native.Get());
    wgpu::AdapterInfo info;
    adapter.GetInfo(&info);
    if (info.backendType != wgpu::BackendType::Null) found.push_back(std::move(adapter));
  }
  return found;
}

void DawnInstance::wait(wgpu::Future future) const {
  const wgpu::WaitStatus status = wgpu::Instance(instance_->Get()).WaitAny(future, UINT64_MAX);
  if (status != wgpu::WaitStatus::Success) fail(DBK_INTERNAL, "waiting for the device failed ({})", static_cast<int>(status));
}

}  // namespace dbk::gpu
