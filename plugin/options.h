// Options of contexts and compiles: one table says which keys exist, where, with which type, domain and default. Environment variables
// DAYBREAK_<KEY> give the default of context options, read once per context; programs that run with more rights than their user
// have none. A compile option that contexts have too starts as its context has it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <variant>

#include "host_fallback/error.h"

namespace dbk {

using OptionValue = std::variant<int64_t, double, std::string, bool>;

struct OptionKey {
  const char* key;
  const char* scope;     // "ctx", "compile"
  uint32_t type;         // DBK_OPTION_*
  const char* domain;    // for people: "require_gpu | prefer_gpu | cpu_only"
  const char* fallback;  // default, as text; unused where a compile starts as its context
  const char* meaning;
};

std::span<const OptionKey> option_keys();

class Options {
 public:
  // Checks keys, types and domains; throws INVALID_ARGUMENT naming the culprit, unless it is flagged optional. `given` may be null.
  // `context`: whose compile it is; null for what the plugin compiles itself, which starts with the defaults.
  Options(const dbk_options* given, const char* scope, const Options* context = nullptr);

  // For what the plugin compiles itself: a text option of the scope.
  Options& with(const char* key, std::string_view value) {
    settings_.at(key) = {std::string(value), Source::Given};
    return *this;
  }

  const std::string& text(const char* key) const { return std::get<std::string>(settings_.at(key).value); }
  int64_t integer(const char* key) const { return std::get<int64_t>(settings_.at(key).value); }
  double real(const char* key) const { return std::get<double>(settings_.at(key).value); }
  bool flag(const char* key) const { return std::get<bool>(settings_.at(key).value); }

  bool is_set(const char* key) const { return settings_.at(key).source != Source::Default; }

  // For messages, what it is set to and by what: "option coop=0", "DAYBREAK_COOP=0", "option precision=f16 of the context".
  std::string told(const char* key) const;

 private:
  enum class Source : uint8_t { Default, Environment, Context, Given };
  struct Setting {
    OptionValue value;
    Source source;
  };

  void set_default(const OptionKey& key, const Options* context);
  void set_given(const dbk_options& given, const char* scope);
  void set(const OptionKey& key, const dbk_kv& item, bool optional);
  void set_from_text(const OptionKey& key, const std::string& text, const std::string& variable);
  std::map<std::string, Setting> settings_;
};

// The environment variable of a context option: "DAYBREAK_COOP".
std::string variable_of(std::string_view key);

}  // namespace dbk
