#include "plugin/json.h"

#include <charconv>
#include <cmath>

#include "plugin/utf8.h"

namespace dbk {

namespace {

void append_escaped(std::string& out, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; break;
    case '\\': out += "\\\\"; break;
    case '\b': out += "\\b"; break;
    case '\f': out += "\\f"; break;
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    default: out += "\\u00", out += kHex[static_cast<unsigned char>(c) >> 4], out += kHex[c & 15];
  }
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const size_t length = utf8_character(text);
    const char c = text.front();
    if (length == 0) out += kUtf8Replacement;
    else if (length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\')) append_escaped(out, c);
    else out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

}  // namespace

Json::Json(double value) {
  char digits[40];
  if (std::isfinite(value)) text_.assign(digits, std::to_chars(digits, std::end(digits), value).ptr);
  else text_ = "null";
}

Json::Json(std::string_view text) { append_string(text_, text); }

Json::Json(std::initializer_list<Member> members) : Json(object()) {
  for (const Member& m : members) add(m.key, m.value);
}

void Json::separate() {
  if (text_.size() > 1) text_ += ',';
}

void Json::push_back(const Json& element) {
  separate();
  text_ += element.text_;
  if (element.close_) text_ += element.close_;
}

void Json::add(std::string_view key, const Json& value) {
  separate();
  append_string(text_, key);
  text_ += ':';
  text_ += value.text_;
  if (value.close_) text_ += value.close_;
}

}  // namespace dbk
