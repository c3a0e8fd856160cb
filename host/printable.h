// Text from files, for messages: names in a model may hold anything, escape sequences of terminals included.
#pragma once

#include <string>
#include <string_view>

namespace host {

// Control characters and what is not UTF-8 as \xNN; line breaks stay.
std::string printable(std::string_view text);

// The same with \x0a for line breaks, cut where it is very long.
std::string on_one_line(std::string_view text);

// The latter between quotes: 'text'.
std::string in_quotes(std::string_view text);

}  // namespace host
