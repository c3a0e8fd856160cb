// daybreak_exec.hpp - a compiled graph.
// Executable: parameters in, ready, then runs (daybreak_run.hpp). Inputs, outputs, parameters and symbols are named by
// index or by name (Key); a name costs a lookup, so hot loops use indices. The C object lives until the Executable and
// every Run of it are gone: memory borrowed for parameters must live that long, and as long as every executable that
// shares them.
#ifndef DAYBREAK_EXEC_HPP
#define DAYBREAK_EXEC_HPP

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daybreak_plugin.hpp"
#include "daybreak_view.hpp"

namespace daybreak {

class Key {
 public:
  template <std::integral T>
  Key(T index) : key_(static_cast<uint32_t>(index)) {}
  Key(std::string_view name) : key_(name) {}
  Key(const char* name) : key_(std::string_view(name)) {}
  Key(const std::string& name) : key_(std::string_view(name)) {}
  const uint32_t* index() const noexcept { return std::get_if<uint32_t>(&key_); }
  std::string_view name() const { return std::get<std::string_view>(key_); }

 private:
  std::variant<uint32_t, std::string_view> key_;
};

// An input, output, parameter or symbol of an executable.
struct IoInfo {
  std::string name;
  uint32_t kind = DBK_KIND_TENSOR;
  uint32_t dtype = DBK_DTYPE_NONE;  // NONE where only bind decides it
  Dims dims;  // extents, DBK_DIM_SYMBOL(i), DBK_DIM_UNKNOWN; of a symbol: min, max, multiple_of
  uint32_t value = DBK_NONE;
  uint32_t flags = 0;  // DBK_IO_*
  bool ranked = true;  // else `dims` is empty
};

namespace detail {

using ExecHandle = Handle<dbk_exec, &dbk_api::exec_destroy>;

inline uint32_t find(const ExecHandle& exec, uint32_t role, const Key& key) {
  if (const uint32_t* index = key.index()) return *index;
  const dbk_str name = str(key.name());
  uint32_t index = 0;
  call(exec.api(), exec.api().exec_find, exec.get(), role, &name, &index);
  return index;
}

inline IoInfo io(const ExecHandle& exec, uint32_t role, uint32_t index) {
  auto info = sized<dbk_io_info>();
  call(exec.api(), exec.api().exec_io, exec.get(), role, index, &info);
  const bool ranked = info.rank != DBK_NONE;
  const std::size_t rank = ranked ? info.rank : 0;
  return {std::string(info.name, info.name_len),
          info.kind,
          info.dtype,
          Dims(std::span<const int64_t>(info.dims, rank)),
          info.value,
          info.flags,
          ranked};
}

}  // namespace detail

class Executable {
 public:
  Executable() = default;
  Executable(Executable&&) = default;
  Executable& operator=(Executable&&) = default;

  uint32_t device() const { return info().device; }  // the index that compile chose
  bool is_ready() const { return (info().flags & DBK_EXEC_READY) != 0; }

  uint32_t count(uint32_t role) const {
    uint32_t result = 0;
    detail::call(api(), api().exec_count, get(), role, &result);
    return result;
  }
  uint32_t find(uint32_t role, const Key& key) const { return detail::find(detail::held(handle_), role, key); }
  IoInfo io(uint32_t role, const Key& key) const { return detail::io(detail::held(handle_), role, find(role, key)); }
  std::vector<IoInfo> list(uint32_t role) const {
    std::vector<IoInfo> result;
    for (uint32_t i = 0, end = count(role); i < end; ++i) result.push_back(io(role, i));
    return result;
  }
  std::vector<IoInfo> inputs() const { return list(DBK_INPUT); }
  std::vector<IoInfo> outputs() const { return list(DBK_OUTPUT); }
  std::vector<IoInfo> params() const { return list(DBK_PARAM); }

  // ownership DBK_COPY or DBK_UNTIL_DESTROY.
  void set_param(const Key& key, const View& data, uint32_t ownership = DBK_COPY) {
    const dbk_tensor tensor = data.tensor(ownership);
    detail::call(api(), api().set_param, get(), find(DBK_PARAM, key), &tensor);
  }
  // Dense data in the declared shape.
  template <class T>
    requires Element<std::remove_const_t<T>>
  void set_param(const Key& key, std::span<T> data, uint32_t ownership = DBK_COPY) {
    const uint32_t index = find(DBK_PARAM, key);
    set_param(index, View(data, io(DBK_PARAM, index).dims), ownership);
  }

  // Takes the value away: until it is set again the executable cannot become ready.
  void remove_param(const Key& key) {
    const dbk_tensor* nothing = nullptr;
    detail::call(api(), api().set_param, get(), find(DBK_PARAM, key), nothing);
  }

  void ready(const ProgressFn& progress = nullptr) {
    detail::Watch watch(progress);
    watch.call(api(), api().exec_ready, get(), watch.get());
    watch.rethrow();
  }

  std::string report(std::string_view kind) const {
    return detail::report(detail::held(handle_).library(), nullptr, get(), nullptr, kind);
  }
  dbk_stats stats() const { return detail::stats(api(), nullptr, get(), nullptr); }

  dbk_exec* get() const noexcept { return handle_ ? handle_->get() : nullptr; }
  const std::shared_ptr<detail::ExecHandle>& handle() const { return detail::held(handle_), handle_; }

 private:
  friend class Context;
  dbk_exec_info info() const {
    auto info = detail::sized<dbk_exec_info>();
    detail::call(api(), api().exec_info, get(), &info);
    return info;
  }
  explicit Executable(std::shared_ptr<detail::ExecHandle> handle) : handle_(std::move(handle)) {}
  const dbk_api& api() const { return detail::held(handle_).api(); }

  std::shared_ptr<detail::ExecHandle> handle_;
};

}  // namespace daybreak

#endif
