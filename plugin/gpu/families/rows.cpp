#include "plugin/gpu/families/rows.h"

#include <algorithm>
#include <bit>

#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

namespace {

enum Frame : uint32_t { kEach, kWorkgroup, kSubgroup };  // order of the programs
constexpr std::string_view kFrames[] = {"each", "workgroup", "subgroup"};

// Invocations per workgroup. A tree wants a power of two; a subgroup must fit in its workgroup whole.
uint32_t group_size(Frame frame, const Capabilities& caps) {
  if (frame == kWorkgroup) return std::bit_floor(std::min(caps.max_group_size, 256u));
  if (frame == kSubgroup) return std::max(kGroupSize, caps.subgroup_max);
  return kGroupSize;
}

// One invocation per row costs nothing to combine but needs many rows, and rows that it reads side by side with its
// neighbours or that are short. A subgroup needs no barrier: several times faster than a workgroup on CPU adapters,
// where barriers spill all registers, and enough of them fill a GPU. A workgroup is for few long rows.
Frame choose(int64_t rows, int64_t length, bool neighbours, const Capabilities& caps) {
  if (length < 32 || (neighbours && rows >= (caps.cpu_adapter ? 16 : 1024))) return kEach;
  if (caps.subgroups && (caps.cpu_adapter || rows >= 256 || length <= 1024)) return kSubgroup;
  return kWorkgroup;
}

}  // namespace

void row_programs(const Capabilities& caps, const std::string& label, uint32_t reads, uint32_t writes,
                  void (*body)(const TypedNode&, ProgramText&), const TypedNode& node, std::vector<Program>& out) {
  for (Frame frame : {kEach, kWorkgroup, kSubgroup}) {
    if (frame == kSubgroup && !caps.subgroups) continue;
    ProgramText text(group_size(frame, caps));
    if (frame == kSubgroup) text.enable("subgroups");
    body(node, text);
    text.file("_block").file(std::format("_row_{}", kFrames[frame]));
    out.push_back({std::format("{}/{}", label, kFrames[frame]), text, reads, writes});
  }
}

uint32_t row_program_count(const Capabilities& caps) { return caps.subgroups ? 3 : 2; }

RowGrid row_grid(int64_t rows, int64_t length, bool neighbours, const Capabilities& caps) {
  const Frame frame = choose(rows, length, neighbours, caps);
  uint32_t per_group = 1;
  if (frame == kEach) per_group = kGroupSize;
  // The kernel counts subgroups itself; with smaller ones than the largest some groups find no row left.
  if (frame == kSubgroup) per_group = group_size(frame, caps) / std::max(caps.subgroup_max, 1u);
  return {frame, grid_of(ceil_div(rows, per_group), caps)};
}

}  // namespace dbk::gpu
