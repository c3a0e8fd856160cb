// Counts every allocation of the plugin's own code, so that "a run allocates nothing" is a number and not a claim.
#pragma once

#include <cstdint>

namespace dbk {

uint64_t allocation_count();

}  // namespace dbk
