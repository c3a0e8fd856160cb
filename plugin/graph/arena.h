// Packs values with known lifetimes into few arenas.
#pragma once

#include <cstdint>
#include <vector>

namespace dbk {

struct Tenant {
  uint64_t bytes = 0;
  uint32_t first = 0, last = 0;      // steps during which it is alive, both included
  std::vector<uint32_t> strangers;   // tenants that may not share an arena with it: they meet in one step as input and output
  uint32_t arena = 0;                // result
  uint64_t offset = 0;               // result
};

// Most bytes of tenants that are alive at one time.
uint64_t largest_live_set(const std::vector<Tenant>& tenants);

// Assigns every tenant an arena and an offset (multiple of `alignment`); returns the bytes of each arena. Tenants alive at the same
// time do not overlap. An arena grows beyond `max_arena` only for a single tenant that is larger itself.
std::vector<uint64_t> pack(std::vector<Tenant>& tenants, uint64_t alignment, uint64_t max_arena);

}  // namespace dbk
