// Names come from callers as bytes; text that leaves the plugin is UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace dbk {

inline constexpr std::string_view kUtf8Replacement = "\xEF\xBF\xBD";  // U+FFFD

// Bytes of the character that text, which is not empty, begins with; 0 where it begins with none.
size_t utf8_character(std::string_view text);

// The text with every byte that belongs to no character replaced. Allocates only where there is one.
std::string valid_utf8(std::string text);

}  // namespace dbk
