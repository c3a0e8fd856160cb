// The exception used inside the plugin. It never crosses the ABI: plugin/guard.h turns it into a status and a dbk_error.
// An Error holds one or more causes, so that checks can collect everything wrong with a graph before they throw.
#pragma once

#include <exception>
#include <format>
#include <string>
#include <utility>
#include <vector>

#include "daybreak.h"

namespace dbk {

struct Cause {
  dbk_status code = DBK_INTERNAL;
  std::string message;
  uint32_t node = DBK_NONE;   // index in the caller's node table
  uint32_t value = DBK_NONE;  // index in the caller's value table
};

class Error : public std::exception {
 public:
  explicit Error(std::vector<Cause> causes) : causes_(std::move(causes)) {}
  Error(dbk_status code, std::string message, uint32_t node = DBK_NONE, uint32_t value = DBK_NONE)
      : causes_{Cause{code, std::move(message), node, value}} {}

  const std::vector<Cause>& causes() const { return causes_; }
  std::vector<Cause>& causes() { return causes_; }
  const char* what() const noexcept override { return causes_.empty() ? "" : causes_.front().message.c_str(); }

 private:
  std::vector<Cause> causes_;
};

template <class... Args>
[[noreturn]] void fail(dbk_status code, std::format_string<Args...> text, Args&&... args) {
  throw Error(code, std::format(text, std::forward<Args>(args)...));
}

}  // namespace dbk
