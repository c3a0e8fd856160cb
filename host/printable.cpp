// Escaping of text from files; see printable.h.
#include "printable.h"

#include <format>

namespace host {
namespace {

constexpr std::size_t longest_name = 200;  // bytes of a name that a message shows

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

// Bytes of the UTF-8 character at the start of `text`, or 0 where there is none. Control characters count as none.
std::size_t character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return first < 0x20 || first == 0x7F ? 0 : 1;
  const std::size_t length = first >= 0xF5 || first < 0xC2 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool control = first == 0xC2 && second < 0xA0;
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return control || overlong || beyond ? 0 : length;
}

std::string escaped(std::string_view text, bool keep_lines) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = keep_lines && text.front() == '\n' ? 1 : character(text);
    if (length == 0)
      result += std::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else
      result += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, true); }

std::string on_one_line(std::string_view text) {
  if (text.size() <= longest_name) return escaped(text, false);
  std::size_t end = longest_name;
  while (end > 0 && is_continuation(text[end])) --end;
  return escaped(text.substr(0, end), false) + "...";
}

std::string in_quotes(std::string_view text) { return "'" + on_one_line(text) + "'"; }

}  // namespace host
