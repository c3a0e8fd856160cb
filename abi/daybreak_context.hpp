// daybreak_context.hpp - a host's session with a plugin: devices, checking, compiling, device memory, reports.
// Any thread may use a Context at any time. Destroying it stops the plugin's threads; executables, runs, events and
// buffers that are left answer every call with FAILED_PRECONDITION from then on.
#ifndef DAYBREAK_CONTEXT_HPP
#define DAYBREAK_CONTEXT_HPP

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daybreak_buffer.hpp"
#include "daybreak_exec.hpp"
#include "daybreak_graph.hpp"

namespace daybreak {

struct DeviceInfo {
  uint32_t index = 0;
  uint32_t kind = 0;  // DBK_DEVICE_*
  uint32_t api = 0;   // DBK_API_*
  uint32_t vendor_id = 0, device_id = 0;
  std::array<uint8_t, 16> uuid{};
  uint64_t mem_total = 0, mem_free = 0, max_buffer = 0, max_binding = 0;  // bytes; 0 = unknown
  uint64_t features = 0;                                                  // DBK_FEATURE_*
  uint32_t score = 0, host_ptr_align = 0, subgroup_min = 0, subgroup_max = 0;
  std::string name, driver, unusable;

  bool usable() const noexcept { return score > 0; }
  bool has(uint64_t feature) const noexcept { return (features & feature) == feature; }
};

// Called from any thread while the context lives; what it throws is dropped. It must not call the plugin.
using LogFn = std::function<void(uint32_t level, std::string_view message)>;

// Who the host is.
struct Host {
  std::string name, version;
  LogFn log;
  uint32_t log_level = 0;  // the most talkative DBK_LOG_* wanted, 0 = warnings
};

struct Compile {
  Options options;
  uint32_t device = DBK_DEVICE_DEFAULT;
  uint32_t mode = DBK_COMPILE_FULL;
  const Executable* share = nullptr;  // of the same context: parameters without data take those of this one by name
  ProgressFn progress;
};

class Context {
 public:
  explicit Context(const Plugin& plugin, const Options& options = {}, Host host = {})
      : host_(std::make_unique<Host>(std::move(host))), handle_(plugin.library()) {
    auto desc = detail::sized<dbk_host>();
    desc.abi = api().abi;
    desc.log_level = host_->log_level;
    desc.name = host_->name.c_str();
    desc.version = host_->version.c_str();
    desc.user = host_.get();
    if (host_->log) desc.log = &Context::log;
    const Options::Table table(options);
    detail::call(api(), api().ctx_create, &desc, table.get(), handle_.out());
  }
  Context(Context&&) = default;
  Context& operator=(Context&& other) noexcept {
    Context old(std::move(other));
    std::swap(host_, old.host_);  // swapped, so that the old context goes before its log function
    std::swap(handle_, old.handle_);
    return *this;
  }

  uint32_t device_count() const {
    uint32_t count = 0;
    detail::call(api(), api().device_count, get(), &count);
    return count;
  }
  DeviceInfo device(uint32_t index) const {
    auto info = detail::sized<dbk_device_info>();
    detail::call(api(), api().device_info, get(), index, &info);
    return {index,
            info.kind,
            info.api,
            info.vendor_id,
            info.device_id,
            std::to_array(info.uuid),
            info.mem_total,
            info.mem_free,
            info.max_buffer,
            info.max_binding,
            info.features,
            info.score,
            info.host_ptr_align,
            info.subgroup_min,
            info.subgroup_max,
            info.name,
            info.driver,
            info.unusable};
  }
  // The CPU is last.
  std::vector<DeviceInfo> devices() const {
    std::vector<DeviceInfo> result;
    for (uint32_t i = 0, count = device_count(); i < count; ++i) result.push_back(device(i));
    return result;
  }
  void recover(uint32_t device, const ProgressFn& progress = nullptr) {
    detail::Watch watch(progress);
    watch.call(api(), api().device_recover, get(), device, watch.get());
    watch.rethrow();
  }

  // Would compile succeed, and what would run where? JSON ("daybreak.check/1"), one verdict per node.
  std::string check(const dbk_graph* graph, const Compile& how = {}) const {
    detail::TextHandle text(handle_.library());
    with_description(graph, how, api().check, text.out());
    return detail::text_of(text);
  }
  std::string check(GraphBuilder& graph, const Compile& how = {}) const { return check(graph.graph(), how); }

  Executable compile(const dbk_graph* graph, const Compile& how = {}) const {
    Executable exec(std::make_shared<detail::ExecHandle>(handle_.library()));
    with_description(graph, how, api().compile, exec.handle()->out());
    return exec;
  }
  Executable compile(GraphBuilder& graph, const Compile& how = {}) const { return compile(graph.graph(), how); }

  // `device` is that of the runs it will be bound to, see Executable::device.
  Buffer buffer(uint64_t byte_len, uint32_t device, uint32_t usage = 0) const {
    auto desc = detail::sized<dbk_buffer_desc>();
    desc.device = device;
    desc.usage = usage;
    desc.byte_len = byte_len;
    return Buffer(handle_.library(), get(), desc);
  }
  // On memory of the host: used in place (DBK_UNTIL_DESTROY) or as the initial content (DBK_COPY).
  Buffer buffer(std::span<std::byte> memory, uint32_t ownership, uint32_t device, uint32_t usage = 0) const {
    auto desc = detail::sized<dbk_buffer_desc>();
    desc.device = device;
    desc.usage = usage;
    desc.byte_len = memory.size();
    desc.host_ptr = memory.data();
    desc.ownership = ownership;
    return Buffer(handle_.library(), get(), desc);
  }

  // Progress is told where devices are measured.
  std::string report(std::string_view kind, const ProgressFn& progress = nullptr) const {
    return detail::report(handle_.library(), get(), nullptr, nullptr, kind, progress);
  }
  dbk_stats stats() const { return detail::stats(api(), get(), nullptr, nullptr); }

  dbk_ctx* get() const noexcept { return handle_.get(); }
  const dbk_api& api() const { return handle_.api(); }

 private:
  // check and compile take the same description.
  template <class Function, class Out>
  void with_description(const dbk_graph* graph, const Compile& how, Function function, Out out) const {
    const Options::Table table(how.options);
    detail::Watch watch(how.progress);
    auto desc = detail::sized<dbk_compile_desc>();
    desc.graph = graph;
    desc.options = table.get();
    desc.watch = watch.get();
    desc.share = how.share ? how.share->get() : nullptr;
    desc.device = how.device;
    desc.mode = how.mode;
    watch.call(api(), function, get(), &desc, out);
    watch.rethrow();
  }

  static void DBK_CALL log(void* user, uint32_t level, const char* msg, uint64_t len) noexcept {
    try {
      static_cast<const Host*>(user)->log(level, std::string_view(msg, len));
    } catch (...) {  // nobody above could take it
    }
  }

  std::unique_ptr<Host> host_;  // declared first: the plugin may log until the context is gone
  detail::Handle<dbk_ctx, &dbk_api::ctx_destroy> handle_;
};

}  // namespace daybreak

#endif
