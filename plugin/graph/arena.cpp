#include "plugin/graph/arena.h"

#include <algorithm>
#include <functional>
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

// Places tenant after tenant where the arenas grow least.
std::vector<uint64_t> place(std::vector<Tenant>& tenants, const std::vector<uint32_t>& order, uint64_t alignment, uint64_t max_arena) {
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

uint64_t sum(const std::vector<uint64_t>& bytes) { return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0}); }

}  // namespace

uint64_t largest_live_set(const std::vector<Tenant>& tenants) {
  uint32_t end = 0;
  for (const Tenant& t : tenants) end = std::max(end, t.last + 1);
  std::vector<uint64_t> come(end + 1), go(end + 1);
  for (const Tenant& t : tenants) come[t.first] += t.bytes, go[t.last + 1] += t.bytes;
  uint64_t alive = 0, most = 0;
  for (uint32_t step = 0; step <= end; ++step) {
    alive += come[step] - go[step];
    most = std::max(most, alive);
  }
  return most;
}

std::vector<uint64_t> pack(std::vector<Tenant>& tenants, uint64_t alignment, uint64_t max_arena) {
  using Measure = uint64_t (*)(const Tenant&);
  const Measure size = [](const Tenant& t) { return t.bytes; };
  const Measure size_and_time = [](const Tenant& t) { return t.bytes * (t.last - t.first + 1); };
  const Measure time = [](const Tenant& t) { return uint64_t{t.last - t.first}; };
  const Measure age = [](const Tenant& t) { return uint64_t{UINT32_MAX} - t.first; };
  const uint64_t least = largest_live_set(tenants);
  std::vector<uint32_t> order(tenants.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater{}, [&](uint32_t i) { return size(tenants[i]); });
  std::vector<Tenant> best;
  std::vector<uint64_t> best_arenas;
  // Each order is best for some graphs. Mostly: large values first, so that small ones fill the gaps.
  for (const Measure most : {size, size_and_time, time, age}) {
    std::ranges::stable_sort(order, std::greater{}, [&](uint32_t i) { return most(tenants[i]); });
    std::vector<uint64_t> arenas = place(tenants, order, alignment, max_arena);
    if (best.empty() || sum(arenas) < sum(best_arenas)) best = tenants, best_arenas = std::move(arenas);
    if (sum(best_arenas) <= least) break;
  }
  tenants = std::move(best);
  return best_arenas;
}

}  // namespace dbk
