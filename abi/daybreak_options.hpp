// daybreak_options.hpp - options and progress for calls of the ABI.
// Options{}.set("policy", "prefer_gpu").optional("precision", "f16") owns keys and values; Watch adapts a std::function
// to the C callback: an exception in it cancels the call and continues in the caller, never across the C boundary.
#ifndef DAYBREAK_OPTIONS_HPP
#define DAYBREAK_OPTIONS_HPP

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daybreak_error.hpp"

namespace daybreak {

class Options {
 public:
  // An unknown key makes the call fail and names it.
  template <class T>
  Options& set(std::string_view key, const T& value) & {
    return add(key, value, 0);
  }
  // As set, but ignored by a plugin that does not know the key, or this type or value of it.
  template <class T>
  Options& optional(std::string_view key, const T& value) & {
    return add(key, value, DBK_OPTION_OPTIONAL);
  }
  template <class T>
  Options&& set(std::string_view key, const T& value) && {
    return std::move(add(key, value, 0));
  }
  template <class T>
  Options&& optional(std::string_view key, const T& value) && {
    return std::move(add(key, value, DBK_OPTION_OPTIONAL));
  }

  bool empty() const noexcept { return items_.empty(); }

  // The C form, valid while this object lives unchanged.
  class Table {
   public:
    explicit Table(const Options& options) : table_(detail::sized<dbk_options>()) {
      for (const Item& item : options.items_) items_.push_back(item.kv());
      table_.items = items_.data();
      table_.count = static_cast<uint32_t>(items_.size());
      table_.stride = sizeof(dbk_kv);
    }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    const dbk_options* get() const noexcept { return items_.empty() ? nullptr : &table_; }

   private:
    std::vector<dbk_kv> items_;
    dbk_options table_;
  };

 private:
  struct Item {
    std::string key;
    std::variant<bool, int64_t, double, std::string> value;
    uint32_t flags;

    dbk_kv kv() const {
      dbk_kv result{detail::str(key), 0, flags, {0}};
      if (const bool* flag = std::get_if<bool>(&value)) {
        result.type = DBK_OPTION_BOOL;
        result.v.i = *flag ? 1 : 0;
      } else if (const int64_t* number = std::get_if<int64_t>(&value)) {
        result.type = DBK_OPTION_INT;
        result.v.i = *number;
      } else if (const double* real = std::get_if<double>(&value)) {
        result.type = DBK_OPTION_FLOAT;
        result.v.f = *real;
      } else {
        result.type = DBK_OPTION_STRING;
        result.v.s = detail::str(std::get<std::string>(value));
      }
      return result;
    }
  };

  template <class T>
  Options& add(std::string_view key, const T& value, uint32_t flags) {
    Item item{std::string(key), false, flags};
    if constexpr (std::same_as<T, bool>)
      item.value = value;
    else if constexpr (std::integral<T>)
      item.value = static_cast<int64_t>(value);
    else if constexpr (std::floating_point<T>)
      item.value = static_cast<double>(value);
    else
      item.value = std::string(std::string_view(value));
    items_.push_back(std::move(item));
    return *this;
  }

  std::vector<Item> items_;
};

struct Progress {
  uint32_t stage = 0;  // DBK_STAGE_*
  uint64_t done = 0;
  uint64_t total = 0;  // 0: unknown
};

// Returns whether to go on; false cancels, and the call throws Error with DBK_CANCELLED.
using ProgressFn = std::function<bool(const Progress&)>;

namespace detail {

class Watch {
 public:
  explicit Watch(const ProgressFn& function) : function_(function), table_(sized<dbk_watch>()) {
    table_.user = this;
    table_.progress = &Watch::progress;
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  const dbk_watch* get() const noexcept { return function_ ? &table_ : nullptr; }

  // As detail::call, but what the callback threw goes before what the plugin says about it.
  template <class Function, class... Args>
  void call(const dbk_api& api, Function function, Args... args) {
    dbk_error* error = nullptr;
    const dbk_status status = function(args..., &error);
    if (status == DBK_OK) return;
    if (!thrown_) throw_error(api, status, error);
    api.error_destroy(error);
    rethrow();
  }

  // For a plugin that succeeded although it was told to stop; call it once the result has an owner.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  static int32_t DBK_CALL progress(void* user, uint32_t stage, uint64_t done, uint64_t total) noexcept {
    auto* self = static_cast<Watch*>(user);
    try {
      return self->function_(Progress{stage, done, total}) ? 0 : 1;
    } catch (...) {
      self->thrown_ = std::current_exception();
      return 1;
    }
  }

  const ProgressFn& function_;
  dbk_watch table_;
  std::exception_ptr thrown_;
};

}  // namespace detail
}  // namespace daybreak

#endif
