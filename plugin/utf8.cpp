#include "plugin/utf8.h"

namespace dbk {

size_t utf8_character(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && second < 0xA0, surrogate = first == 0xED && second > 0x9F;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && second < 0x90, beyond = first == 0xF4 && second > 0x8F;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

std::string valid_utf8(std::string text) {
  size_t good = 0;
  while (good < text.size()) {
    const size_t length = utf8_character(std::string_view(text).substr(good));
    if (length == 0) break;
    good += length;
  }
  if (good == text.size()) return text;
  std::string valid(text, 0, good);
  for (std::string_view rest = std::string_view(text).substr(good); !rest.empty();) {
    const size_t length = utf8_character(rest);
    valid += length ? rest.substr(0, length) : kUtf8Replacement;
    rest.remove_prefix(length ? length : 1);
  }
  return valid;
}

}  // namespace dbk
