// Puts a place (a file, an option) in front of what is thrown.
#pragma once

#include <string>
#include <vector>

#include "daybreak_error.hpp"

namespace host {

// Calls `action`; every cause of a daybreak::Error that leaves it begins with `place` and a colon.
template <class Action>
decltype(auto) in_place(const std::string& place, Action&& action) {
  try {
    return action();
  } catch (const daybreak::Error& error) {
    std::vector<daybreak::Cause> causes = error.causes();
    for (daybreak::Cause& cause : causes) cause.message = place + ": " + cause.message;
    throw daybreak::Error(error.status(), std::move(causes));
  }
}

}  // namespace host
