#include "plugin/packing_report.h"

namespace dbk {

namespace {

constexpr double kClose = 1.15;

struct Tenant {
  ValueId value;
  uint64_t begin, end;
  Plan::Life life;
};

std::vector<Tenant> tenants_of(const Plan& plan, const Space& space, uint32_t arena) {
  std::vector<Tenant> tenants;
  for (ValueId v = 0; v < space.slots.size(); ++v) {
    const Slot& slot = space.slots[v];
    if (slot.kind != Slot::Kind::Arena || slot.index != arena || plan.roots[v] != v) continue;
    tenants.push_back({v, slot.offset, slot.offset + storage_bytes(plan.types[v]), plan.lives[v]});
  }
  return tenants;
}

std::string name_of(const Graph& graph, ValueId v) { return graph.values[v].name.empty() ? describe(graph, v) : graph.values[v].name; }

// The values of an arena that are alive when the one that ends highest begins to be: it lies above them.
Json arena_json(Executable& exec, const Plan& plan, const Space& space, uint32_t arena) {
  const std::vector<Tenant> tenants = tenants_of(plan, space, arena);
  const auto top = std::ranges::max_element(tenants, {}, &Tenant::end);
  Json values = Json::array();
  for (const Tenant& t : tenants)
    if (t.life.first <= top->life.last && top->life.first <= t.life.last)
      values.push_back({{"value", t.value}, {"name", name_of(exec.graph(), t.value)}, {"bytes", t.end - t.begin}, {"offset", t.begin}});
  return {{"arena", arena}, {"bytes", space.arenas[arena]}, {"values", values}};
}

Json space_json(Executable& exec, const Plan& plan, const Space& space, const char* name) {
  const double ratio = static_cast<double>(space.bytes()) / static_cast<double>(space.peak);
  Json json = {{"space", name}, {"arena_bytes", space.bytes()}, {"live_bytes", space.peak}, {"ratio", ratio}};
  if (ratio <= kClose) return json;
  Json arenas = Json::array();
  for (uint32_t arena = 0; arena < space.arenas.size(); ++arena) arenas.push_back(arena_json(exec, plan, space, arena));
  json.add("forced_by", arenas);
  return json;
}

}  // namespace

Json packing_report(Executable& exec, const Plan& plan) {
  Json spaces = Json::array();
  if (plan.device.peak > 0) spaces.push_back(space_json(exec, plan, plan.device, "device"));
  if (plan.host.peak > 0) spaces.push_back(space_json(exec, plan, plan.host, "host"));
  return spaces;
}

}  // namespace dbk
