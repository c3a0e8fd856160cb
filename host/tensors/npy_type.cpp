// The table of NumPy's types and its strings; see npy_type.h.
#include "npy_type.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <format>

#include "daybreak_dtype.hpp"
#include "printable.h"

namespace host {
namespace {

[[noreturn]] void refuse(const std::string& descr, const char* why) {
  throw daybreak::Error(DBK_UNIMPLEMENTED, std::format("elements of type {}: {}", in_quotes(descr), why));
}

uint32_t code_of(char kind) { return kind == 'i' ? 0 : kind == 'u' ? 1 : kind == 'f' ? 2 : kind == 'c' ? 5 : 6; }

bool is_number(char kind, std::size_t size) {
  const std::string_view sizes = kind == 'b' ? "\1" : kind == 'f' ? "\2\4\10" : kind == 'c' ? "\10\20" : "\1\2\4\10";
  return std::string_view("iufcb").find(kind) != std::string_view::npos && size < 128 &&
         sizes.find(static_cast<char>(size)) != std::string_view::npos;
}

// What Python's ml_dtypes writes for types that NumPy does not know.
bool is_opaque(uint32_t dtype) { return dtype == DBK_BF16 || DBK_DTYPE_CODE(dtype) >= DBK_DTYPE_CODE(DBK_F8_E4M3FN); }

NpyType opaque(const std::string& descr, std::size_t size, uint32_t expected) {
  if (!is_opaque(expected) || expected == DBK_STRING || size != (DBK_DTYPE_BITS(expected) + 7) / 8)
    refuse(descr, "NumPy does not say what they are, and the input is no bfloat16 (V2), float8 or float4 (V1)");
  if (expected == DBK_F4_E2M1FN) return {DBK_U8, 1, 1, false, false, expected};
  return {expected, size, size, false, false, 0};
}

void append_utf8(std::string& text, uint32_t c, const std::string& descr) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) refuse(descr, "a character that is none");
  if (c < 0x80) return void(text += static_cast<char>(c));
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  text += static_cast<char>((more == 1 ? 0xC0u : more == 2 ? 0xE0u : 0xF0u) | c >> (6 * more));
  for (int i = more; i-- > 0;) text += static_cast<char>(0x80u | (c >> (6 * i) & 0x3Fu));
}

}  // namespace

NpyType npy_type(const std::string& descr, uint32_t expected) {
  std::size_t size = 0;
  const char* end = descr.data() + descr.size();
  if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos ||
      std::from_chars(descr.data() + 2, end, size).ptr != end) {
    if (descr == "|O") refuse(descr, "Python objects are no tensor; save an array of numbers");
    refuse(descr, "unknown");
  }
  const char kind = descr[1];
  const bool swapped = descr[0] == '>';
  if (kind == 'O') refuse(descr, "Python objects are no tensor; save an array of numbers");
  if (size == 0) refuse(descr, "elements without a size");
  if (kind == 'V') return opaque(descr, size, expected);
  if (kind == 'S' || kind == 'U') {
    const std::size_t width = kind == 'U' ? 4 : 1;
    if (size > SIZE_MAX / 8 / width) refuse(descr, "too long");
    return {DBK_STRING, size * width, width, swapped, kind == 'U', 0};
  }
  if (!is_number(kind, size)) refuse(descr, "no element type of ONNX; convert the array with astype");
  NpyType result{DBK_DTYPE(code_of(kind), size * 8), size, kind == 'c' ? size / 2 : size, swapped, false, 0};
  const bool bytes = result.dtype == DBK_I8 || result.dtype == DBK_U8;
  const bool same_sign = DBK_DTYPE_CODE(expected) == DBK_DTYPE_CODE(result.dtype);
  if (bytes && same_sign && expected != DBK_DTYPE_NONE && daybreak::is_sub_byte(expected)) result.packed_as = expected;
  return result;
}

std::string npy_descr(uint32_t dtype) {
  const uint32_t bits = DBK_DTYPE_BITS(dtype);
  if (is_opaque(dtype)) return bits == 16 ? "<V2" : "|V1";
  if (dtype == DBK_BOOL) return "|b1";
  const char kind = "iuf??c"[DBK_DTYPE_CODE(dtype)];
  return std::format("{}{}{}", bits <= 8 ? '|' : '<', kind, std::max(bits / 8, 1u));
}

std::vector<std::string> npy_strings(std::span<const std::byte> elements, const NpyType& type) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < elements.size(); at += type.size) {
    std::string& text = result.emplace_back();
    for (std::size_t i = 0; i < type.size; i += type.part) {
      uint32_t c = 0;
      std::memcpy(&c, elements.data() + at + i, type.part);
      if (type.wide)
        append_utf8(text, c, "U");
      else
        text += static_cast<char>(c);
    }
    text.resize(text.find_last_not_of('\0') + 1);  // the padding; npos + 1 is 0
  }
  return result;
}

std::string npy_string_elements(const std::vector<std::string>& strings, std::vector<std::byte>& elements) {
  std::size_t longest = 1;
  for (const std::string& text : strings) longest = std::max(longest, text.size());
  elements.assign(strings.size() * longest, std::byte{});
  for (std::size_t i = 0; i < strings.size(); ++i)
    std::memcpy(elements.data() + i * longest, strings[i].data(), strings[i].size());
  return std::format("|S{}", longest);
}

}  // namespace host
