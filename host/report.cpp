// Tolerant access to reports; see report.h.
#include "report.h"

namespace host {

using nlohmann::json;

json parse_report(const std::string& text) {
  json result = json::parse(text, nullptr, false);
  return result.is_object() ? result : json::object();
}

json array_in(const json& object, const char* key) {
  const json value = object.is_object() ? object.value(key, json()) : json();
  return value.is_array() ? value : json::array();
}

json object_in(const json& object, const char* key) {
  const json value = object.is_object() ? object.value(key, json()) : json();
  return value.is_object() ? value : json::object();
}

std::string word_in(const json& object, const char* key, const std::string& otherwise) {
  const json value = object.is_object() ? object.value(key, json()) : json();
  if (value.is_null()) return otherwise;
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string document_text(const json& document) { return document.dump(2, ' ', false, json::error_handler_t::replace); }

}  // namespace host
