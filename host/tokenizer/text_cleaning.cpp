// Cleaning of text, with utf8proc's tables of Unicode; see text_cleaning.h.
#include "text_cleaning.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace host {
namespace {

utf8proc_int32_t code(char32_t c) { return static_cast<utf8proc_int32_t>(c); }

// Tab and line ends are Cc too, but separate words. Unassigned code points stay: newer scripts are not noise.
bool is_noise(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  const utf8proc_category_t category = utf8proc_category(code(c));
  return c == 0xFFFD || category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
         category == UTF8PROC_CATEGORY_CO;
}

bool is_blank(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return true;
  const utf8proc_category_t category = utf8proc_category(code(c));
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

// The blocks of ideographs that BERT's vocabulary knows; one of them begins 0x100 late in the reference, and so here.
bool is_ideograph(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 8> blocks{{{0x4E00, 0x9FFF},
                                                                        {0x3400, 0x4DBF},
                                                                        {0x20000, 0x2A6DF},
                                                                        {0x2A700, 0x2B73F},
                                                                        {0x2B740, 0x2B81F},
                                                                        {0x2B920, 0x2CEAF},
                                                                        {0xF900, 0xFAFF},
                                                                        {0x2F800, 0x2FA1F}}};
  return std::ranges::any_of(blocks, [c](const auto& block) { return block.first <= c && c <= block.second; });
}

void append_decomposed(std::u32string& out, char32_t c) {
  std::array<utf8proc_int32_t, 32> parts;  // the longest canonical decomposition has 4
  int boundary = 0;
  const auto count = utf8proc_decompose_char(code(c), parts.data(), static_cast<utf8proc_ssize_t>(parts.size()),
                                             UTF8PROC_DECOMPOSE, &boundary);
  if (count < 0 || count > static_cast<utf8proc_ssize_t>(parts.size()))
    throw std::runtime_error(utf8proc_errmsg(count));
  out.append(parts.begin(), parts.begin() + count);
}

// Marks on one letter in the order that Unicode prescribes.
void order_marks(std::u32string& text) {
  const auto rank = [](char32_t c) { return utf8proc_get_property(code(c))->combining_class; };
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if(begin, text.end(), [&](char32_t c) { return rank(c) != 0; });
    const auto end = std::find_if(begin, text.end(), [&](char32_t c) { return rank(c) == 0; });
    std::stable_sort(begin, end, [&](char32_t a, char32_t b) { return rank(a) < rank(b); });
    begin = end;
  }
}

void append_cleaned(std::u32string& out, char32_t c) {
  if (is_noise(c)) return;
  if (is_blank(c)) {
    out += U' ';
  } else if (is_ideograph(c)) {
    out += U' ';
    append_decomposed(out, c);
    out += U' ';
  } else {
    append_decomposed(out, c);
  }
}

}  // namespace

std::u32string cleaned_text(std::string_view utf8) {
  std::u32string text;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(utf8.data());
  for (std::size_t at = 0; at < utf8.size();) {
    utf8proc_int32_t c = -1;
    const auto length = utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(utf8.size() - at), &c);
    if (length > 0) append_cleaned(text, static_cast<char32_t>(c));
    at += length > 0 ? static_cast<std::size_t>(length) : 1;
  }
  order_marks(text);
  std::erase_if(text, [](char32_t c) { return utf8proc_category(code(c)) == UTF8PROC_CATEGORY_MN; });
  for (char32_t& c : text) c = static_cast<char32_t>(utf8proc_tolower(code(c)));
  return text;
}

bool is_punctuation(char32_t c) {
  if (c < 0x80)
    return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z');
  const utf8proc_category_t category = utf8proc_category(code(c));
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

void append_utf8(std::string& out, char32_t c) {
  std::array<utf8proc_uint8_t, 4> bytes;
  const auto length = utf8proc_encode_char(code(c), bytes.data());
  out.append(bytes.begin(), bytes.begin() + length);
}

}  // namespace host
