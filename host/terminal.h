// The terminal behind standard output and standard error: how wide it is, and text laid out for it.
#pragma once

#include <cstddef>
#include <string>

namespace host {

// Columns of the terminal behind a file descriptor; 0 where it is no terminal: pipes and files get whole lines.
std::size_t terminal_width(int descriptor);

// Text that begins in column `indent`, broken after commas, else at spaces, so that no line is wider than `width`;
// further lines are indented as much. Width 0: as it is. A word that is too long stays whole.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace host
