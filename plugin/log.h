// The host's log hook. Safe from any thread; silent without a hook. Nothing of the plugin prints anywhere else.
#pragma once

#include <format>
#include <string>

#include "daybreak.h"
#include "plugin/utf8.h"

namespace dbk {

class Log {
 public:
  Log() = default;
  explicit Log(const dbk_host& host)
      : user_(host.user), hook_(host.log), level_(host.log_level ? host.log_level : DBK_LOG_WARNING) {}

  void write(uint32_t level, const std::string& text) const {
    if (!hook_ || level > level_) return;
    const std::string valid = valid_utf8(text);
    hook_(user_, level, valid.data(), valid.size());
  }
  template <class... Args>
  void operator()(uint32_t level, std::format_string<Args...> text, Args&&... args) const {
    if (hook_ && level <= level_) write(level, std::format(text, std::forward<Args>(args)...));
  }

 private:
  void* user_ = nullptr;
  void(DBK_CALL* hook_)(void*, uint32_t, const char*, uint64_t) = nullptr;
  uint32_t level_ = 0;
};

}  // namespace dbk
