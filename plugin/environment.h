// The environment variables whose names are ours.
#pragma once

#include <string>
#include <vector>

namespace dbk {

struct UnknownVariable {
  std::string name;
  std::string meant;  // the known one that it may be a misspelling of; empty: it is like none
};

// Those called DAYBREAK_... that neither the plugin nor a tool of the project reads: a setting that has no effect.
std::vector<UnknownVariable> unknown_variables();

}  // namespace dbk
