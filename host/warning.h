// Warnings on standard error, one line each.
#pragma once

#include <string_view>

#include "daybreak.hpp"

namespace host {

void print_warning(std::string_view text);

// For contexts: what the plugin logs.
daybreak::LogFn printed_warnings();

}  // namespace host
