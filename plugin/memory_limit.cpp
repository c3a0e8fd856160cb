#include "plugin/memory_limit.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <ranges>

namespace dbk {

namespace {

struct Need {
  ValueId value;
  uint64_t bytes;
};

// Values with memory of their own, or in arenas, of a space; the largest first.
std::vector<Need> needs_of(const Graph& graph, const Plan& plan, const Space& space) {
  std::vector<Need> needs;
  for (ValueId v = 0; v < space.slots.size(); ++v) {
    const Slot::Kind kind = space.slots[v].kind;
    const bool holds = kind == Slot::Kind::Input || kind == Slot::Kind::Output || kind == Slot::Kind::Arena;
    if (holds && plan.roots[v] == v && !is_weight(graph.values[v])) needs.push_back({v, storage_bytes(plan.types[v])});
  }
  std::ranges::stable_sort(needs, std::greater(), &Need::bytes);
  return needs;
}

std::string refusal(const Graph& graph, const Plan& plan, const Space& space, uint64_t bytes, uint64_t limit, const char* whose) {
  if (!limit || bytes <= limit) return "";
  constexpr size_t kMost = 3;
  std::string text = std::format("a run takes {} bytes of the {} bytes that the {} has; the largest values are", bytes, limit, whose);
  const char* before = " ";
  for (const Need& need : needs_of(graph, plan, space) | std::views::take(kMost)) {
    text += std::format("{}{} {} {} of {} bytes", before, describe(graph, need.value), to_string(plan.types[need.value].dtype),
                        to_string(plan.types[need.value].shape), need.bytes);
    before = ", ";
  }
  return text;
}

uint64_t host_memory() {
  struct sysinfo memory {};
  return sysinfo(&memory) == 0 ? (uint64_t{memory.totalram} + memory.totalswap) * memory.mem_unit : 0;
}

}  // namespace

std::string refuse_memory(Device& device, const Graph& graph, const Plan& plan) {
  const uint64_t io = plan.input_bytes + plan.output_bytes;
  if (device.is_cpu()) return refusal(graph, plan, plan.host, plan.host.bytes() + io, host_memory(), "machine");
  std::string why = refusal(graph, plan, plan.device, plan.device.bytes() + io, device.info().mem_total, "device");
  return why.empty() ? refusal(graph, plan, plan.host, plan.host.bytes(), host_memory(), "machine") : why;
}

}  // namespace dbk
