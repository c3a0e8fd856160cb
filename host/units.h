// Quantities as people read them: bytes in binary units, seconds with three digits, lists with commas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace host {

std::string bytes_text(uint64_t bytes);    // "1.5 GiB"; "unknown" for 0
std::string seconds_text(double seconds);  // "3.21 ms"
std::string joined(const std::vector<std::string>& words, const std::string& separator = ", ");

}  // namespace host
