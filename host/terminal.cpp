// Width and line breaks; see terminal.h.
#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace host {

std::size_t terminal_width(int descriptor) {
  winsize size{};
  return isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  if (width <= indent) return text;
  const std::size_t room = width - indent;
  std::string result, rest = text;
  while (rest.size() > room) {
    std::size_t gap = rest.rfind(", ", room - 1);
    gap = gap != std::string::npos ? gap + 1 : rest.rfind(' ', room);
    if (gap == std::string::npos) gap = rest.find(' ');
    if (gap == std::string::npos) break;
    result += rest.substr(0, gap) + "\n" + std::string(indent, ' ');
    rest.erase(0, gap + 1);
  }
  return result + rest;
}

}  // namespace host
