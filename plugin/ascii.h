// Letters of keys, variables and selectors, which are ASCII. Those of the C library follow the host's locale: in a Turkish one i has no
// capital that is an I.
#pragma once

namespace dbk {

constexpr char ascii_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace dbk
