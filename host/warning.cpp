#include "warning.h"

#include <cstdio>

#include "printable.h"

namespace host {

void print_warning(std::string_view text) { std::fprintf(stderr, "daybreak: warning: %s\n", printable(text).c_str()); }

daybreak::LogFn printed_warnings() {
  return [](uint32_t, std::string_view text) { print_warning(text); };
}

}  // namespace host
