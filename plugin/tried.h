// How much of what could be measured was: of the kernels for a node, or of the forms of a layer.
#pragma once

#include <cstdint>

namespace dbk {

enum class Tried : uint8_t {
  Nothing,
  Part,    // the budget ended first: times decide until there are better ones, and it is measured again
  Likely,  // those that are tried at level quick
  All,
};

}  // namespace dbk
