#include "plugin/gpu/families/line_pieces.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kCut = 16;  // steps of k between cuts

std::string_view suffix(DType dtype) { return dtype == DBK_F16 ? "_f16" : ""; }

// Where a step is not known, each row's place is masked again: else its two vectors are not proven to be neighbours, and not loaded as one.
void write_b(std::string& s, const Line& t, DType dtype, uint32_t u) {
  if (t.b == Line::B::Rows)
    add_line(s, "  let b{0}_at = unaligned(b_at + {0}u * b_step);", u);
  else
    add_line(s, "  let b{}_at = b_at + {}u;", u, u * kLineColumns / 4);
  for (uint32_t j = 0; j < kLineHalves; ++j) add_line(s, "  let b{}_{} = {};", u, j, picked(dtype, "b", std::format("b{}_at", u), 2 * j));
}

// Row i of A at step u, of f16: eight lanes take eight steps of a row, or two of four rows where A is stored as columns. One conversion
// instead of eight.
std::string half_of_a(std::string& s, const Line& t, uint32_t i, uint32_t u) {
  const uint32_t steps = t.columns_of_a ? 2 : kLineLanes, first = u / steps * steps;
  const uint32_t lane = t.columns_of_a ? (u - first) * 4 + i % 4 : u - first;
  const std::string at = std::format("a{}_at", t.columns_of_a ? i / 4 : i);
  const std::string eight = t.columns_of_a ? std::format("a{}_{}", i / 4, first) : std::format("a{}_{}", i, first / 4);
  const std::string loaded = t.columns_of_a ? std::format("pick_f16(a[{0} + {1}u * a_step], a[{0} + {2}u * a_step], lane)", at, first, first + 1)
                                            : picked(DBK_F16, "a", at, first / 4);
  if (lane == 0) add_line(s, "  let {} = {};", eight, loaded);
  return std::format("subgroupBroadcast({}, {}u)", eight, lane);
}

// Row i of A at step u: a component of a vector along k, or along m where A is stored as columns. The vector is loaded for its first one.
std::string element_of_a(std::string& s, const Line& t, DType dtype, uint32_t i, uint32_t u) {
  if (dtype == DBK_F16 && u / kLineLanes < t.depth / kLineLanes) return half_of_a(s, t, i, u);
  const std::string vector = t.columns_of_a ? std::format("a{}_{}", i / 4, u) : std::format("a{}_{}", i, u / 4);
  const uint32_t component = t.columns_of_a ? i % 4 : u % 4;
  if (component == 0) {
    const std::string loaded = t.columns_of_a ? std::format("a[a{}_at + {}u * a_step]", i / 4, u) : std::format("a[a{}_at + {}u]", i, u / 4);
    add_line(s, "  let {} = {};", vector, dtype == DBK_F16 ? std::format("vec4<f32>({})", loaded) : loaded);
  }
  return std::format("{}.{}", vector, kComponents[component]);
}

}  // namespace

std::string picked(DType dtype, std::string_view array, std::string_view at, uint32_t first) {
  return std::format("pick{0}({1}[{2} + {3}u], {1}[{2} + {4}u], lane)", suffix(dtype), array, at, first, first + 1);
}

std::string single(DType dtype, std::string_view array) { return dtype == DBK_F16 ? std::format("f32({}[0].x)", array) : std::format("{}[0].x", array); }

std::string stored_lanes(DType dtype, std::string_view value, uint32_t half) {
  return std::format("{}_lanes{}({})", half == 0 ? "low" : "high", suffix(dtype), value);
}

void write_turned(std::string& s, std::string_view name, uint32_t count, std::string_view at, std::string_view element) {
  for (uint32_t c = 0; c < std::size(kComponents); ++c)
    for (uint32_t i = 0; i < count; i += 4)
      add_line(s, "  turned[{0} + {1}u] = vec4<{2}>({3}{4}.{8}, {3}{5}.{8}, {3}{6}.{8}, {3}{7}.{8});", at, (c * count + i) / 4, element, name, i, i + 1, i + 2, i + 3,
               kComponents[c]);
}

void write_b_place(std::string& s, const Line& t, std::string_view k_start) {
  if (t.b == Line::B::Rows) {
    add_line(s, "  let b_step = p.b_k / 4u;\n  let b_at = unaligned((place.b + {} * p.b_k + column) / 4u);", k_start);
    return;
  }
  const std::string block = t.b == Line::B::Turned ? std::format("place.column * {}u", kLineColumns) : "column";
  add_line(s, "  let b_at = unaligned((place.b + {} * p.k + {} * {}u) / 4u);", block, k_start, kLineColumns);
}

void write_a_place(std::string& s, const Line& t, uint32_t i, std::string_view row, std::string_view k_start) {
  if (!t.columns_of_a) {
    add_line(s, "  let a{}_at = unaligned((place.a + {} * p.a_row + {}) / 4u);", i, row, k_start);
    return;
  }
  if (i == 0) add_line(s, "  let a_step = p.a_k / 4u;");
  if (i % 4 == 0) add_line(s, "  let a{}_at = unaligned((place.a + {} * p.a_k + min(row + {}u, p.m - 4u)) / 4u);", i / 4, k_start, i);
}

void write_products(std::string& s, const Line& t, DType dtype) {
  for (uint32_t u = 0; u < t.depth; ++u) {
    if (t.parts > 0 && u > 0 && u % kCut == 0) write_cut(s, t);
    write_b(s, t, dtype, u);
    for (uint32_t i = 0; i < t.rows; ++i) {
      const std::string a = element_of_a(s, t, dtype, i, u);
      for (uint32_t j = 0; j < kLineHalves; ++j) add_line(s, "  c{0}_{1} = fma({2}, b{3}_{1}, c{0}_{1});", i, j, a, u);
    }
  }
}

void write_cut(std::string& s, const Line& t) {
  add_line(s, "  if (p.zero != 0u) {{");
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kLineHalves; ++j) add_line(s, "    sums[lane + {}u] = c{}_{};", (i * kLineHalves + j) * kLineLanes, i, j);
  add_line(s, "  }}");
}

}  // namespace dbk::gpu
