#include "plugin/graph/arena.h"

#include <algorithm>
#include <numeric>

namespace dbk {

namespace {

struct Arena {
  std::vector<uint32_t> tenants;  // sorted by offset
  uint64_t bytes = 0;
};

bool meet(const Tenant& a, const Tenant& b) { return a.first <= b.last && b.first <= a.last; }

// Lowest offset at which tenant t overlaps nobody alive at the same time.
uint64_t lowest_offset(const Arena& arena, const std::vector<Tenant>& tenants, const Tenant& t, uint64_t alignment) {
  uint64_t offset = 0;
  for (uint32_t other : arena.tenants) {
    const Tenant& o = tenants[other];
    if (!meet(o, t)) continue;
    if (offset + t.bytes <= o.offset) break;
    offset = std::max(offset, (o.offset + o.bytes + alignment - 1) / alignment * alignment);
  }
  return offset;
}

bool welcome(const Arena& arena, const Tenant& t) {
  return std::ranges::none_of(t.strangers, [&](uint32_t s) { return std::ranges::find(arena.tenants, s) != arena.tenants.end(); });
}

}  // namespace

std::vector<uint64_t> pack(std::vector<Tenant>& tenants, uint64_t alignment, uint64_t max_arena) {
  // Large values first: small ones then fill the gaps, which keeps the sum close to the largest live set.
  std::vector<uint32_t> order(tenants.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return tenants[a].bytes > tenants[b].bytes; });

  std::vector<Arena> arenas;
  for (uint32_t id : order) {
    Tenant& t = tenants[id];
    size_t best = arenas.size();
    uint64_t best_growth = t.bytes, best_offset = 0;
    for (size_t a = 0; a < arenas.size(); ++a) {
      if (!welcome(arenas[a], t)) continue;
      const uint64_t offset = lowest_offset(arenas[a], tenants, t, alignment);
      const uint64_t end = offset + t.bytes;
      const uint64_t growth = end > arenas[a].bytes ? end - arenas[a].bytes : 0;
      if (end > max_arena || (best != arenas.size() && growth >= best_growth) || growth > best_growth) continue;
      best = a;
      best_growth = growth;
      best_offset = offset;
    }
    if (best == arenas.size()) arenas.emplace_back();
    t.arena = static_cast<uint32_t>(best);
    t.offset = best_offset;
    Arena& arena = arenas[best];
    arena.bytes = std::max(arena.bytes, best_offset + t.bytes);
    const auto at = std::ranges::lower_bound(arena.tenants, best_offset, {}, [&](uint32_t o) { return tenants[o].offset; });
    arena.tenants.insert(at, id);
  }
  std::vector<uint64_t> bytes;
  for (const Arena& a : arenas) bytes.push_back(a.bytes);
  return bytes;
}

}  // namespace dbk
