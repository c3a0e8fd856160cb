// daybreak_error.hpp - failures of the C ABI as one C++ exception.
// Error carries the status and every cause the plugin found, each with the node and value of the graph it concerns.
// detail::call turns a table function's status into that exception and never loses the C error object.
#ifndef DAYBREAK_ERROR_HPP
#define DAYBREAK_ERROR_HPP

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daybreak.h"

namespace daybreak {

// The name of a status without its prefix, "INVALID_ARGUMENT". Codes of newer versions are "STATUS_<number>".
inline std::string status_name(dbk_status status) {
  constexpr std::string_view names[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT", "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "OUT_OF_MEMORY",    "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",         "UNAVAILABLE",
      "DATA_LOSS"};
  if (status >= 0 && static_cast<std::size_t>(status) < std::size(names)) {
    return std::string(names[static_cast<std::size_t>(status)]);
  }
  return "STATUS_" + std::to_string(status);
}

struct Cause {
  dbk_status status = DBK_UNKNOWN;
  std::optional<uint32_t> node;   // index into the graph's node table
  std::optional<uint32_t> value;  // index into the graph's value table
  std::string message;
};

class Error : public std::exception {
 public:
  Error(dbk_status status, std::string message) : Error(status, std::vector<Cause>{}, std::move(message)) {}

  // An error without a cause still says what its status is called.
  Error(dbk_status status, std::vector<Cause> causes, std::string message = {})
      : status_(status), causes_(std::move(causes)) {
    if (causes_.empty()) causes_.push_back({status, {}, {}, std::move(message)});
    what_ = status_name(status);
    for (const Cause& cause : causes_) {
      if (cause.message.empty()) continue;
      what_ += &cause == causes_.data() ? ": " : "; ";
      what_ += cause.message;
    }
  }

  dbk_status status() const noexcept { return status_; }
  const std::vector<Cause>& causes() const noexcept { return causes_; }
  const char* what() const noexcept override { return what_.c_str(); }

  // The first cause's text, without the name of the status.
  const std::string& message() const noexcept { return causes_.front().message; }

 private:
  dbk_status status_;
  std::vector<Cause> causes_;  // never empty
  std::string what_;
};

namespace detail {

template <class Struct>
Struct sized() noexcept {
  Struct result{};
  result.hdr.size = static_cast<uint32_t>(sizeof(Struct));
  return result;
}

inline dbk_str str(std::string_view text) noexcept { return {text.data(), text.size()}; }

inline std::optional<uint32_t> index_or_none(uint32_t index) {
  return index == DBK_NONE ? std::nullopt : std::optional<uint32_t>(index);
}

// Takes ownership of `error` (may be NULL) before anything here can throw.
[[noreturn]] inline void throw_error(const dbk_api& api, dbk_status status, dbk_error* error) {
  const std::unique_ptr<dbk_error, void(DBK_CALL*)(dbk_error*)> owner(error, api.error_destroy);
  std::vector<Cause> causes;
  for (uint32_t i = 0, count = error ? 1 : 0; i < count; ++i) {
    auto info = sized<dbk_error_info>();
    if (api.error_get(error, i, &info) != DBK_OK) break;
    count = info.count;
    causes.push_back({info.code, index_or_none(info.node), index_or_none(info.value),
                      info.msg ? std::string(info.msg, info.len) : std::string()});
  }
  throw Error(status, std::move(causes));
}

// Calls a function of the table whose last parameter is `dbk_error** out_error`; throws unless it returns OK.
template <class Function, class... Args>
void call(const dbk_api& api, Function function, Args... args) {
  dbk_error* error = nullptr;
  const dbk_status status = function(args..., &error);
  if (status != DBK_OK) throw_error(api, status, error);
}

}  // namespace detail
}  // namespace daybreak

#endif
