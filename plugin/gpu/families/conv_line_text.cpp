// The text follows the rules of line_text.cpp: no branch or loop before the stores, addresses of unknown low bits, and a
// store that never happens to keep all sums alive together.
#include "plugin/gpu/families/conv_line_text.h"

#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kHalves = kLineConvColumns / kLineLanes;
constexpr std::string_view kHead = R"(
// One subgroup: 4 channels by 16 results. `offsets` say where the elements under each tap lie, from a result's own place on.
// The grid is (channels, results, part), so that nothing is divided; part is one group of one batch entry.
struct Params {
  channels_out: u32,
  part: u32,  // elements stored for one part
  row: u32,  // elements of one channel of the sums
  weights: u32,  // of one group
  groups: u32,
  groups_inverse: f32,
  k_start: u32,  // of the weights of a channel
  depth: u32,
  zero: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  offsets: array<vec4<u32>, 16>,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4<f32>>;
@group(0) @binding(3) var<uniform> p: Params;

// An index of single elements, as `unaligned` of vectors.
fn unaligned_element(index: u32) -> u32 {
  return (index + p.zero) & 0x0fffffffu;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
)";

template <class... Args>
void line(std::string& text, std::format_string<Args...> form, Args&&... args) {
  text += std::format(form, std::forward<Args>(args)...);
  text += '\n';
}

void write_places(std::string& s) {
  line(s, "  let channel = (group.x * {}u + team) * {}u;", kLineConvTeams, kLineConvRows);
  line(s, "  let column = group.y * {}u;", kLineConvColumns);
  line(s, "  let part = group.z;");
  line(s, "  let first = p.k_start == 0u;");
  line(s, "  let x_at = part * p.part + column;");
  line(s, "  let own = part - divide(part, p.groups, p.groups_inverse) * p.groups;");
  line(s, "  let w_at = own * p.weights + p.k_start;");
  for (uint32_t i = 0; i < kLineConvRows; ++i) {
    line(s, "  let channel{0} = min(channel + {0}u, p.channels_out - 1u);", i);
    line(s, "  let w{0}_at = unaligned_element(w_at + channel{0} * p.depth);", i);
    line(s, "  let c{0}_at = unaligned(((part * p.channels_out + channel{0}) * p.row + column) / 4u);", i);
    for (uint32_t j = 0; j < kHalves; ++j)
      line(s, "  var c{0}_{1} = select(pick(c[c{0}_at + {2}u], c[c{0}_at + {3}u], lane), 0.0, first);", i, j, 2 * j,
           2 * j + 1);
  }
}

// Eight neighbours from `at` on, one for each lane.
std::string eight(uint32_t u, uint32_t first) {
  std::string text = "pick(";
  for (uint32_t e = 0; e < 8; ++e)
    text += std::format("{}x[x{}_at + {}u]{}", e % 4 == 0 ? "vec4<f32>(" : "", u, first + e, e % 4 == 3 ? "), " : ", ");
  return text + "lane)";
}

void write_products(std::string& s, uint32_t depth) {
  for (uint32_t u = 0; u < depth; ++u) {
    line(s, "  let x{0}_at = unaligned_element(x_at + p.offsets[{1}].{2});", u, u / 4, "xyzw"[u % 4]);
    for (uint32_t j = 0; j < kHalves; ++j) line(s, "  let x{}_{} = {};", u, j, eight(u, j * kLineLanes));
    for (uint32_t i = 0; i < kLineConvRows; ++i) {
      line(s, "  let w{0}_{1} = w[w{0}_at + {1}u];", i, u);
      for (uint32_t j = 0; j < kHalves; ++j) line(s, "  c{0}_{1} = fma(w{0}_{2}, x{2}_{1}, c{0}_{1});", i, j, u);
    }
  }
}

// Four lanes of a sum as the vec4 that is stored.
std::string quarter(uint32_t i, uint32_t q) {
  std::string text = "vec4<f32>(";
  for (uint32_t e = 0; e < 4; ++e)
    text += std::format("{}subgroupBroadcast(c{}_{}, {}u)", e ? ", " : "", i, q / 2, q % 2 * 4 + e);
  return text + ")";
}

void write_stores(std::string& s) {
  std::string all;
  for (uint32_t i = 0; i < kLineConvRows; ++i)
    for (uint32_t j = 0; j < kHalves; ++j) all += std::format("{}c{}_{}", all.empty() ? "" : " + ", i, j);
  line(s, "  let v0_0 = {};", quarter(0, 0));
  line(s, "  if (subgroupBroadcast({}, 0u) == 1.2345e37) {{\n    c[c0_at] = v0_0;\n  }}", all);
  for (uint32_t i = 0; i < kLineConvRows; ++i)
    for (uint32_t q = 0; q < 2 * kHalves; ++q)
      if (i + q > 0) line(s, "  let v{}_{} = {};", i, q, quarter(i, q));
  for (uint32_t i = 0; i < kLineConvRows; ++i) {
    line(s, "  if (channel + {}u < p.channels_out) {{", i);
    for (uint32_t q = 0; q < 2 * kHalves; ++q) line(s, "    c[c{0}_at + {1}u] = v{0}_{1};", i, q);
    line(s, "  }}");
  }
}

}  // namespace

std::string line_conv_text(uint32_t depth) {
  ProgramText head(kLineConvTeams * kLineLanes);
  head.enable("subgroups").file("_line").file("_divide");
  std::string s = head.str();
  s += kHead;
  write_places(s);
  write_products(s, depth);
  write_stores(s);
  return s + "}\n";
}

}  // namespace dbk::gpu
