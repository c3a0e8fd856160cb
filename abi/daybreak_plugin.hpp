// daybreak_plugin.hpp - a loaded plugin and the owner of its handles.
// Plugin::load maps the library (RTLD_NOW | RTLD_LOCAL), agrees on an ABI version and keeps the table. Every object
// made from it shares the mapping, so the order in which they go does not matter.
#ifndef DAYBREAK_PLUGIN_HPP
#define DAYBREAK_PLUGIN_HPP

#include <array>
#include <memory>
#include <string>
#include <utility>

#if !defined(_WIN32)
#include <dlfcn.h>
#endif

#include "daybreak_options.hpp"

namespace daybreak {

namespace detail {

// Bytes of the table of ABI 1.0, which every later version begins with. Fixed: it does not follow sizeof when the table grows.
constexpr uint32_t kTableBytes10 = 328;
static_assert(sizeof(dbk_api) >= kTableBytes10);

class Library {
 public:
  Library() = default;
  ~Library() {
#if !defined(_WIN32)
    if (handle_) dlclose(handle_);
#endif
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

#if !defined(_WIN32)
  dbk_entry_fn open(const std::string& path) {
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw Error(DBK_UNAVAILABLE, last_failure("cannot load the plugin"));
    void* symbol = dlsym(handle_, "dbk_entry");
    if (!symbol) throw Error(DBK_UNAVAILABLE, last_failure("no Daybreak plugin"));
    return reinterpret_cast<dbk_entry_fn>(symbol);
  }
#endif

  void agree(dbk_entry_fn entry) {
    std::array<char, 512> why{};
    const dbk_status status = entry(DBK_ABI_1_0, DBK_ABI_NEWEST, &api_, why.data(), static_cast<uint32_t>(why.size()));
    why.back() = '\0';
    if (status != DBK_OK) throw Error(status, "the plugin refuses the ABI: " + std::string(why.data()));
    if (!api_ || api_->abi < DBK_ABI_1_0 || api_->abi > DBK_ABI_NEWEST || api_->size < kTableBytes10) {
      throw Error(DBK_INTERNAL, "the plugin agreed to a version, but its table is not of that version");
    }
  }

  const dbk_api& api() const noexcept { return *api_; }

 private:
#if !defined(_WIN32)
  static std::string last_failure(std::string text) {
    const char* reason = dlerror();
    return reason ? text + ": " + reason : text;
  }
#endif

  void* handle_ = nullptr;
  const dbk_api* api_ = nullptr;
};

using LibraryPtr = std::shared_ptr<const Library>;

// What an owner holds; throws where that is nothing.
template <class Pointer>
auto& held(const Pointer& pointer) {
  if (!pointer) throw Error(DBK_FAILED_PRECONDITION, "the object is empty: it was never made, or moved from");
  return *pointer;
}

// Owns one object of the plugin; Destroy is its slot in the table.
template <class T, auto Destroy>
class Handle {
 public:
  Handle() = default;
  explicit Handle(LibraryPtr library) noexcept : library_(std::move(library)) {}
  Handle(Handle&& other) noexcept
      : library_(std::move(other.library_)), object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    Handle old(std::move(other));
    std::swap(library_, old.library_);
    std::swap(object_, old.object_);
    return *this;
  }
  ~Handle() {
    if (object_) (api().*Destroy)(object_);
  }

  T* get() const noexcept { return object_; }
  T** out() noexcept { return &object_; }  // for the call that makes the object; empty before
  const dbk_api& api() const { return held(library_).api(); }
  const LibraryPtr& library() const { return held(library_), library_; }

 private:
  LibraryPtr library_;
  T* object_ = nullptr;
};

using TextHandle = Handle<dbk_text, &dbk_api::text_destroy>;

inline std::string text_of(const TextHandle& text) {
  const char* chars = nullptr;
  uint64_t length = 0;
  const dbk_status status = text.api().text_get(text.get(), &chars, &length);
  if (status != DBK_OK) throw Error(status, "the plugin's text cannot be read");
  return std::string(chars, length);
}

inline std::string report(const LibraryPtr& library, dbk_ctx* ctx, dbk_exec* exec, dbk_run* run,
                          std::string_view kind, const ProgressFn& progress = nullptr) {
  Watch watch(progress);
  auto desc = sized<dbk_report_desc>();
  desc.ctx = ctx;
  desc.exec = exec;
  desc.run = run;
  desc.kind = str(kind);
  desc.watch = watch.get();
  TextHandle text(library);
  watch.call(library->api(), library->api().report, &desc, text.out());
  watch.rethrow();
  return text_of(text);
}

inline dbk_stats stats(const dbk_api& api, dbk_ctx* ctx, dbk_exec* exec, dbk_run* run) {
  auto result = sized<dbk_stats>();
  call(api, api.stats, ctx, exec, run, &result);
  return result;
}

}  // namespace detail

class Plugin {
 public:
#if !defined(_WIN32)
  // A path with a slash is that file; a bare name is searched by the dynamic linker. Throws Error: UNAVAILABLE where it
  // cannot be loaded or is no plugin, UNIMPLEMENTED where it speaks another ABI.
  static Plugin load(const std::string& path) {
    auto library = std::make_shared<detail::Library>();
    library->agree(library->open(path));
    return Plugin(std::move(library));
  }
#endif
  // A plugin that the caller has loaded or linked, and keeps.
  static Plugin from_entry(dbk_entry_fn entry) {
    auto library = std::make_shared<detail::Library>();
    library->agree(entry);
    return Plugin(std::move(library));
  }

  Plugin(Plugin&&) = default;
  Plugin& operator=(Plugin&&) = default;

  const dbk_api& api() const { return detail::held(library_).api(); }
  const dbk_info& info() const { return *api().info; }
  const detail::LibraryPtr& library() const { return detail::held(library_), library_; }

 private:
  explicit Plugin(detail::LibraryPtr library) : library_(std::move(library)) {}

  detail::LibraryPtr library_;
};

}  // namespace daybreak

#endif
