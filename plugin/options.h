// Options of contexts and compiles: one table says which keys exist, where, with which type, domain and default. Environment variables
// DAYBREAK_<KEY> give the default of context options, read once per context; programs that run with more rights than their user
// have none.
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
  const char* fallback;  // default, as text
  const char* meaning;
};

std::span<const OptionKey> option_keys();

class Options {
 public:
  // Checks keys, types and domains; throws INVALID_ARGUMENT naming the culprit, unless it is flagged optional. `given` may be null.
  Options(const dbk_options* given, const char* scope);

  // For what the plugin compiles itself: a text option of the scope.
  Options& with(const char* key, std::string_view value) {
    values_.at(key) = std::string(value);
    return *this;
  }

  const std::string& text(const char* key) const { return std::get<std::string>(values_.at(key)); }
  int64_t integer(const char* key) const { return std::get<int64_t>(values_.at(key)); }
  double real(const char* key) const { return std::get<double>(values_.at(key)); }
  bool flag(const char* key) const { return std::get<bool>(values_.at(key)); }

 private:
  void set_given(const dbk_options& given, const char* scope);
  void set(const OptionKey& key, const dbk_kv& item, bool optional);
  void check_products() const;  // throws where options for products contradict each other
  void set_from_text(const OptionKey& key, const std::string& text, const char* source);
  std::map<std::string, OptionValue> values_;
};

}  // namespace dbk
