// JSON of reports, kept as the text it will be: a value is written when it is made, members and elements are appended. There is no tree,
// so that letting go of a value needs no memory. (A document class whose destructor allocates ends the process where there is none.)
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>

namespace dbk {

class Json {
 public:
  struct Member;

  Json(std::nullptr_t) : text_("null") {}
  Json(std::same_as<bool> auto value) : text_(value ? "true" : "false") {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Json(T value) : text_(std::to_string(value)) {}
  Json(double value);  // null where it is no number
  // Text comes from callers and may not be UTF-8: what is not is replaced.
  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  // An object.
  Json(std::initializer_list<Member> members);
  // An array of what a range holds.
  template <std::ranges::input_range R>
    requires(!std::convertible_to<const R&, std::string_view>)
  Json(const R& range) : text_("["), close_(']') {
    for (const auto& element : range) push_back(element);
  }

  static Json object() { return Json('{', '}'); }
  static Json array() { return Json('[', ']'); }
  static Json array(std::initializer_list<Json> elements) { return Json(elements); }

  void push_back(const Json& element);               // to an array
  void add(std::string_view key, const Json& value);  // to an object; the key is not there yet
  std::string text() const { return close_ ? text_ + close_ : text_; }

 private:
  Json(char open, char close) : text_(1, open), close_(close) {}
  void separate();

  std::string text_;  // without its last bracket
  char close_ = 0;
};

struct Json::Member {
  std::string_view key;
  Json value;
};

}  // namespace dbk
