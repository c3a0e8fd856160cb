// Text from files, for messages: names in a model may hold anything, escape sequences of terminals included.
#pragma once

#include <string>
#include <string_view>

namespace host {

// Control characters and what is not UTF-8 as \xNN; line breaks stay.
std::string printable(std::string_view text);

// 'text', printable, on one line, cut where it is very long.
std::string in_quotes(std::string_view text);

}  // namespace host
