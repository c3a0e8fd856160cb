#include "plugin/gpu/families/line_pieces.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

// The last block ends with the last column, so it may repeat some of the one before. A tile behind the last one is that again.
std::string line_turn_text(DType dtype) {
  ProgramText head(kLineTurnTeams * kLineLanes);
  head.enable("subgroups").alias("elem", to_string(dtype)).file("matmul/product").file("_line");
  std::string s = head.str();
  add_line(s, "\n// One subgroup: {} columns of B, {} steps of k.", kLineColumns, kLineTurnSteps);
  add_line(s, "@group(0) @binding(0) var<storage, read> b: array<vec4<elem>>;");
  add_line(s, "@group(0) @binding(1) var<storage, read_write> turned: array<vec4<elem>>;");
  add_line(s, "@group(0) @binding(2) var<uniform> p: Params;\n");
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(subgroup_id) team: u32) {{");
  add_line(s, "  let place = place_of(min(flat_group(group, groups) * {}u + team, p.tiles - 1u));", kLineTurnTeams);
  add_line(s, "  let column = min(place.column * {0}u, p.n - {0}u);", kLineColumns);
  add_line(s, "  let read_at = unaligned((place.b + column * p.b_column) / 4u + place.row);\n  let step = p.b_column / 4u;");
  add_line(s, "  let write_at = unaligned((place.a + place.column * {}u * p.k) / 4u + place.row * {}u);", kLineColumns, kLineColumns);
  for (uint32_t c = 0; c < kLineColumns; ++c) add_line(s, "  let b{0} = b[read_at + {0}u * step];", c);
  write_turned(s, "b", kLineColumns, "write_at", "elem");
  return s + "}\n";
}

std::string line_turn_label(DType dtype) { return std::format("matmul/{}/line/turn", to_string(dtype)); }

}  // namespace dbk::gpu
