// Tells whether the process is a fork of the one that made an object. Threads do not survive fork, so such objects are refused
// and never torn down.
#pragma once

#include <cstdint>

namespace dbk {

// A number that changes in the child of every fork.
uint64_t process_generation();

}  // namespace dbk
