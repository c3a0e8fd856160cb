// Reading of the plugin's JSON reports. A report may lack any field or have another type there: that is never an error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace host {

// Anything that is not a JSON object counts as an empty one.
nlohmann::json parse_report(const std::string& text);

// A member as an array or object; an empty one where it is missing or something else.
nlohmann::json array_in(const nlohmann::json& object, const char* key);
nlohmann::json object_in(const nlohmann::json& object, const char* key);

// A member as text: strings as they are, numbers as JSON writes them, `otherwise` where it is missing.
std::string word_in(const nlohmann::json& object, const char* key, const std::string& otherwise = {});

// A document as printed; invalid UTF-8 (names of drivers) is replaced.
std::string document_text(const nlohmann::json& document);

}  // namespace host
