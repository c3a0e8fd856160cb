#include "plugin/gpu/dawn_device.h"

#include <cstring>

namespace dbk::gpu {

namespace {

std::vector<const char*> device_toggles(bool validation) {
  std::vector<const char*> toggles = {"allow_unsafe_apis"};
  // Our own checks happen before Dawn sees a call; Dawn's validation and bounds checks are for tests and for bug reports.
  if (!validation) {
    toggles.insert(toggles.end(), {"skip_validation", "disable_robustness", "disable_workgroup_init",
                                   "disable_polyfills_on_integer_div_and_mod"});
  }
  return toggles;
}

std::string_view text_of(const uint8_t* bytes, size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }

// In C: the C++ wrapper of these two callbacks does not compile.
WGPUDawnCacheDeviceDescriptor ask_for_blobs(BlobCache& blobs) {
  WGPUDawnCacheDeviceDescriptor descriptor = WGPU_DAWN_CACHE_DEVICE_DESCRIPTOR_INIT;
  descriptor.dawnLoadCacheDataCallbackInfo.callback = [](size_t key_size, const uint8_t* key, size_t size, uint8_t* value, void* cache, void*) noexcept {
    return static_cast<BlobCache*>(cache)->load(text_of(key, key_size), {value, size});
  };
  descriptor.dawnStoreCacheDataCallbackInfo.callback = [](size_t key_size, const uint8_t* key, size_t size, const uint8_t* value, void* cache,
                                                          void*) noexcept {
    static_cast<BlobCache*>(cache)->store(text_of(key, key_size), text_of(value, size));
  };
  descriptor.dawnLoadCacheDataCallbackInfo.userdata1 = descriptor.dawnStoreCacheDataCallbackInfo.userdata1 = &blobs;
  return descriptor;
}

}  // namespace

DawnDevice::DawnDevice(std::shared_ptr<DawnInstance> instance, const wgpu::Adapter& adapter, const AdapterTraits& traits, bool validation,
                       std::shared_ptr<CacheFolder> cache)
    : instance_(std::move(instance)), traits_(traits), state_(std::make_unique<State>()),
      blobs_(std::make_unique<BlobCache>(std::move(cache), traits_.info)) {
  const std::vector<const char*> toggles = device_toggles(validation);
  wgpu::DawnTogglesDescriptor toggle_descriptor;
  toggle_descriptor.enabledToggleCount = toggles.size();
  toggle_descriptor.enabledToggles = toggles.data();
  WGPUDawnCacheDeviceDescriptor cache_descriptor = ask_for_blobs(*blobs_);
  if (blobs_->on()) toggle_descriptor.nextInChain = reinterpret_cast<wgpu::ChainedStruct*>(&cache_descriptor);
  wgpu::DeviceDescriptor descriptor;
  descriptor.nextInChain = &toggle_descriptor;
  descriptor.requiredFeatureCount = traits_.features.size();
  descriptor.requiredFeatures = traits_.features.data();
  descriptor.requiredLimits = &traits_.limits;
  descriptor.SetDeviceLostCallback(
      wgpu::CallbackMode::AllowSpontaneous,
      [](const wgpu::Device&, wgpu::DeviceLostReason, wgpu::StringView message, State* state) noexcept {
        std::lock_guard lock(state->mutex);
        if (!state->lost) state->message = to_text(message);
        state->lost = true;
      },
      state_.get());
  descriptor.SetUncapturedErrorCallback(
      [](const wgpu::Device&, wgpu::ErrorType, wgpu::StringView message, State* state) noexcept {
        std::lock_guard lock(state->mutex);
        if (!state->failed) state->message = to_text(message);
        state->failed = true;
      },
      state_.get());
  std::string why = "no answer";
  wait(adapter.RequestDevice(&descriptor, wgpu::CallbackMode::WaitAnyOnly,
                             [&](wgpu::RequestDeviceStatus status, wgpu::Device device, wgpu::StringView message) noexcept {
                               if (status == wgpu::RequestDeviceStatus::Success) device_ = std::move(device);
                               else why = to_text(message);
                             }));
  if (!device_) fail(DBK_UNAVAILABLE, "{}: no device: {}", traits_.info.name, why);
  device_.SetLoggingCallback([](wgpu::LoggingType, wgpu::StringView message,
                                Log* log) noexcept { log->write(DBK_LOG_INFO, "Dawn: " + to_text(message)); },
                             &instance_->log());
  queue_ = device_.GetQueue();
}

DawnDevice::~DawnDevice() {
  queue_ = nullptr;
  if (device_) device_.Destroy();
}

void DawnDevice::submit(const wgpu::CommandEncoder& encoder) const {
  const wgpu::CommandBuffer commands = encoder.Finish();
  queue_.Submit(1, &commands);
}

wgpu::Future DawnDevice::submitted() const {
  return queue_.OnSubmittedWorkDone(wgpu::CallbackMode::WaitAnyOnly, [](wgpu::QueueWorkDoneStatus, wgpu::StringView) noexcept {});
}

void DawnDevice::push_scopes() const {
  device_.PushErrorScope(wgpu::ErrorFilter::Validation);
  device_.PushErrorScope(wgpu::ErrorFilter::Internal);
  device_.PushErrorScope(wgpu::ErrorFilter::OutOfMemory);
}

void DawnDevice::pop_scopes(const std::string& what) const {
  dbk_status code = DBK_OK;
  std::string text;
  for (dbk_status failure : {DBK_OUT_OF_MEMORY, DBK_INTERNAL, DBK_INTERNAL}) {
    wait(device_.PopErrorScope(wgpu::CallbackMode::WaitAnyOnly,
                               [&](wgpu::PopErrorScopeStatus, wgpu::ErrorType type, wgpu::StringView message) noexcept {
                                 if (type == wgpu::ErrorType::NoError || code != DBK_OK) return;
                                 code = failure;
                                 text = to_text(message);
                               }));
  }
  check();
  if (code != DBK_OK) fail(code, "{}: {}", what, text);
}

void DawnDevice::drop_scopes() const noexcept try {
  pop_scopes("");
} catch (const Error&) {  // something else has failed already
}

wgpu::Buffer DawnDevice::allocate(uint64_t bytes, wgpu::BufferUsage usage, const char* label) const {
  wgpu::BufferDescriptor descriptor;
  descriptor.size = std::max<uint64_t>((bytes + 15) / 16 * 16, 16);
  descriptor.usage = usage;
  descriptor.label = label;
  if (descriptor.size > traits_.caps.max_buffer)
    fail(DBK_OUT_OF_MEMORY, "{}: {} bytes are over the device's limit of {} for one buffer", label, bytes, traits_.caps.max_buffer);
  wgpu::Buffer buffer;
  scoped(std::format("{}: allocating {} bytes", label, bytes), [&] { buffer = device_.CreateBuffer(&descriptor); });
  if (!buffer) fail(DBK_OUT_OF_MEMORY, "{}: allocating {} bytes failed", label, bytes);
  return buffer;
}

wgpu::Buffer DawnDevice::import(void* memory, uint64_t bytes, wgpu::BufferUsage usage) const {
  wgpu::BufferHostMappedPointer pointer;
  pointer.pointer = memory;
  pointer.disposeCallback = [](void* imports) noexcept { --*static_cast<std::atomic<int64_t>*>(imports); };
  pointer.userdata = &state_->imports;
  wgpu::BufferDescriptor descriptor;
  descriptor.nextInChain = &pointer;
  descriptor.size = bytes;
  descriptor.usage = usage;
  descriptor.label = "host memory";
  wgpu::Buffer buffer;
  scoped(std::format("importing {} bytes of host memory", bytes), [&] { buffer = device_.CreateBuffer(&descriptor); });
  ++state_->imports;
  return buffer;
}

// Dawn lets go behind everything submitted so far, and looks whether that is done only when asked to: hence the empty submission
// and the ticks. A lost device lets go when it is destroyed.
void DawnDevice::end_import(wgpu::Buffer& buffer) const noexcept {
  const int64_t others = state_->imports - 1;
  buffer.Destroy();
  buffer = nullptr;
  try {
    while (state_->imports > others && !lost()) {
      queue_.Submit(0, nullptr);
      wait_for_queue();
      device_.Tick();
    }
  } catch (const Error&) {  // of waiting: the device is gone
  }
  if (lost()) device_.Destroy();
}

void DawnDevice::write(const wgpu::Buffer& buffer, uint64_t offset, const void* src, uint64_t len) const {
  const uint64_t whole = len / 4 * 4;  // Dawn writes words
  if (whole) queue_.WriteBuffer(buffer, offset, src, whole);
  if (whole == len) return;
  uint32_t word = 0;
  std::memcpy(&word, static_cast<const char*>(src) + whole, len - whole);
  queue_.WriteBuffer(buffer, offset + whole, &word, 4);
}

void DawnDevice::map_range(const wgpu::Buffer& buffer, wgpu::MapMode mode, uint64_t offset, uint64_t size) const {
  bool mapped = false;
  wait(buffer.MapAsync(mode, offset, size, wgpu::CallbackMode::WaitAnyOnly,
                       [](wgpu::MapAsyncStatus status, wgpu::StringView, bool* ok) noexcept { *ok = status == wgpu::MapAsyncStatus::Success; },
                       &mapped));
  check();
  if (!mapped) fail(DBK_INTERNAL, "mapping {} bytes failed", size);
}

std::byte* DawnDevice::map(const wgpu::Buffer& buffer, wgpu::MapMode mode) const {
  map_range(buffer, mode, 0, buffer.GetSize());
  return static_cast<std::byte*>(buffer.GetMappedRange(0, buffer.GetSize()));
}

void DawnDevice::read_mapped(const wgpu::Buffer& buffer, uint64_t offset, void* dst, uint64_t len) const {
  const uint64_t start = offset / 8 * 8, end = std::min((offset + len + 3) / 4 * 4, buffer.GetSize());
  map_range(buffer, wgpu::MapMode::Read, start, end - start);
  std::memcpy(dst, static_cast<const char*>(buffer.GetConstMappedRange(start, end - start)) + (offset - start), len);
  buffer.Unmap();
}

void DawnDevice::read_copy(const wgpu::Buffer& buffer, uint64_t offset, void* dst, uint64_t len) const {
  const uint64_t start = offset / 4 * 4, size = (offset - start + len + 3) / 4 * 4;
  const wgpu::Buffer staging = allocate(size, wgpu::BufferUsage::MapRead | wgpu::BufferUsage::CopyDst, "readback");
  const wgpu::CommandEncoder encoder = device_.CreateCommandEncoder();
  encoder.CopyBufferToBuffer(buffer, start, staging, 0, size);
  submit(encoder);
  read_mapped(staging, offset - start, dst, len);
}

void DawnDevice::check() const {
  if (!state_->lost && !state_->failed) return;
  std::lock_guard lock(state_->mutex);
  if (state_->lost) fail(DBK_UNAVAILABLE, "{} is lost: {}", traits_.info.name, state_->message);
  state_->failed = false;
  fail(DBK_INTERNAL, "{}: {}", traits_.info.name, state_->message);
}

}  // namespace dbk::gpu
