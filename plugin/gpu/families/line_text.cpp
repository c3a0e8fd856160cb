// Why the text looks as it does, each point measured on llvmpipe. Inside a loop or branch every load gets a bounds test, so they stand
// outside and edges are clamped. `zero` and the mask keep addresses from being proven aligned, which would split the loads. A store
// that never happens keeps all sums alive together, else each chain of products is compiled apart; between stretches of products,
// such stores also cut the text into pieces, since compile time grows with the square of the longest. Barriers cost nothing where
// little is alive across them.
#include "plugin/gpu/families/line_text.h"

#include <algorithm>

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr std::string_view kComponents[] = {"x", "y", "z", "w"};
constexpr uint32_t kHalves = kLineColumns / kLineLanes;  // vectors of columns in a tile
constexpr uint32_t kCut = 16;                            // steps of k between cuts

void write_positions(std::string& s, const Line& t) {
  if (t.exact) {
    add_line(s,
            "  let place = Place(group.x * {}u + team, group.y, group.z * p.batch[0].a, group.z * p.batch[0].b, "
            "group.z * p.m * p.c_row, group.z * p.m);",
            t.teams);
  } else {
    add_line(s, "  let tile = flat_group(group, groups) * {}u + team;", t.teams);
    add_line(s, "  let place = place_of(min(tile, p.tiles - 1u));");
  }
  add_line(s, "  let row = place.row * {}u;", t.rows);
  add_line(s, "  let column = {};",
          t.exact ? std::format("place.column * {}u", kLineColumns)
                  : std::format("min(place.column * {0}u, p.n - {0}u)", kLineColumns));
  add_line(s, "  let first = p.k_start == 0u;");
  if (t.blocks)
    add_line(s, "  let b_at = unaligned((place.b + column * p.k + p.k_start * {}u) / 4u);", kLineColumns);
  else
    add_line(s, "  let b_step = p.b_k / 4u;\n  let b_at = unaligned((place.b + p.k_start * p.b_k + column) / 4u);");
  for (uint32_t i = 0; i < t.rows; ++i) {
    if (t.exact)
      add_line(s, "  let row{0} = row + {0}u;", i);
    else
      add_line(s, "  let row{0} = min(row + {0}u, p.m - 1u);", i);
    add_line(s, "  let a{0}_at = unaligned((place.a + row{0} * p.a_row + p.k_start) / 4u);", i);
    add_line(s, "  let c{0}_at = unaligned((place.c + row{0} * p.c_row + column) / 4u);", i);
  }
}

void write_sums(std::string& s, const Line& t, bool has_d) {
  for (uint32_t i = 0; i < t.rows; ++i) {
    if (has_d) add_line(s, "  let d{0}_at = unaligned((row{0} * p.d_row + p.c_start + column) / 4u);", i);
    for (uint32_t j = 0; j < kHalves; ++j) {
      std::string start = "0.0";
      if (has_d) start = std::format("p.beta * pick(d[d{0}_at + {1}u], d[d{0}_at + {2}u], lane)", i, 2 * j, 2 * j + 1);
      add_line(s, "  var c{0}_{1} = select(pick(c[c{0}_at + {2}u], c[c{0}_at + {3}u], lane), {4}, first);", i, j, 2 * j,
              2 * j + 1, start);
    }
  }
}

// A branch that is never taken.
void write_cut(std::string& s, const Line& t) {
  add_line(s, "  if (p.zero != 0u) {{");
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kHalves; ++j) add_line(s, "    sums[lane + {}u] = c{}_{};", (i * kHalves + j) * kLineLanes, i, j);
  add_line(s, "  }}");
}

void write_products(std::string& s, const Line& t) {
  for (uint32_t u = 0; u < t.depth; ++u) {
    if (t.parts > 0 && u > 0 && u % kCut == 0) write_cut(s, t);
    if (t.blocks)
      add_line(s, "  let b{}_at = b_at + {}u;", u, u * kLineColumns / 4);
    else
      add_line(s, "  let b{0}_at = b_at + {0}u * b_step;", u);
    for (uint32_t j = 0; j < kHalves; ++j)
      add_line(s, "  let b{0}_{1} = pick(b[b{0}_at + {2}u], b[b{0}_at + {3}u], lane);", u, j, 2 * j, 2 * j + 1);
    for (uint32_t i = 0; i < t.rows; ++i) {
      if (u % 4 == 0) add_line(s, "  let a{0}_{1} = a[a{0}_at + {1}u];", i, u / 4);
      for (uint32_t j = 0; j < kHalves; ++j)
        add_line(s, "  c{0}_{1} = fma(a{0}_{2}.{3}, b{4}_{1}, c{0}_{1});", i, j, u / 4, kComponents[u % 4], u);
    }
  }
}

// Sums become results, straight-line as everything here. Operands of the result's shape lie where it lies; those of columns are read once
// for all rows.
void write_epilogue(std::string& s, const Line& t, const Epilogue& epilogue) {
  using Place = EpilogueOperand::Place;
  for (size_t e = 0; e < epilogue.operands.size(); ++e) {
    const Place place = epilogue.operands[e].place;
    if (place == Place::Column) add_line(s, "  let e{}_at = unaligned((p.c_start + column) / 4u);", e);
    for (uint32_t j = 0; j < kHalves; ++j) {
      if (place == Place::Column) add_line(s, "  let e{0}_{1} = pick(e{0}[e{0}_at + {2}u], e{0}[e{0}_at + {3}u], lane);", e, j, 2 * j, 2 * j + 1);
      if (place == Place::Single) add_line(s, "  let e{0}_{1} = e{0}[0].x;", e, j);
    }
  }
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kHalves; ++j) {
      std::string arguments = std::format("c{}_{}", i, j);
      for (size_t e = 0; e < epilogue.operands.size(); ++e)
        arguments += epilogue.operands[e].place == Place::Whole
                         ? std::format(", pick(e{0}[c{1}_at + {2}u], e{0}[c{1}_at + {3}u], lane)", e, i, 2 * j, 2 * j + 1)
                         : std::format(", e{}_{}", e, j);
      add_line(s, "  c{}_{} = value({});", i, j, arguments);
    }
}

// Four lanes of a sum as the vec4 that is stored.
std::string quarter(uint32_t i, uint32_t q) {
  std::string text = "vec4<f32>(";
  for (uint32_t e = 0; e < 4; ++e)
    text += std::format("{}subgroupBroadcast(c{}_{}, {}u)", e ? ", " : "", i, q / 2, q % 2 * 4 + e);
  return text + ")";
}

// Columns q4 .. q4 + 3 of row i.
std::string store_quarter(uint32_t i, uint32_t q, uint32_t results) {
  return results > 1 ? std::format("store(place.top + row{0}, p.c_start + column + {2}u, v{0}_{1});", i, q, 4 * q)
                     : std::format("c[c{0}_at + {1}u] = v{0}_{1};", i, q);
}

void write_stores(std::string& s, const Line& t, uint32_t results) {
  std::string all;
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kHalves; ++j) all += std::format("{}c{}_{}", all.empty() ? "" : " + ", i, j);
  add_line(s, "  let v0_0 = {};", quarter(0, 0));
  add_line(s, "  if (subgroupBroadcast({}, 0u) == 1.2345e37) {{\n    {}\n  }}", all, store_quarter(0, 0, results));
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t q = 0; q < 2 * kHalves; ++q)
      if (i + q > 0) add_line(s, "  let v{}_{} = {};", i, q, quarter(i, q));
  if (t.exact) {
    for (uint32_t i = 0; i < t.rows; ++i)
      for (uint32_t q = 0; q < 2 * kHalves; ++q) add_line(s, "  {}", store_quarter(i, q, results));
    return;
  }
  // Columns before the tile's own (the last tile is moved back inside) belong to its neighbour.
  add_line(s, "  let own = place.column * {}u - column;", kLineColumns);
  for (uint32_t i = 0; i < t.rows; ++i) {
    add_line(s, "  if (tile < p.tiles && row + {}u < p.m) {{", i);
    for (uint32_t q = 0; q < 2 * kHalves; ++q)
      add_line(s, "    if (own <= {}u) {{ {} }}", 4 * q, store_quarter(i, q, results));
    add_line(s, "  }}");
  }
}

// ---- all of k in one dispatch ----

uint32_t units_of(const Line& t) { return t.rows * kHalves; }  // of kLineLanes sums, in a tile
uint32_t tiles_of(const Line& t) { return t.teams / t.parts; }

void write_part(std::string& s, const Line& t) {
  add_line(s, "  let part = team / {0}u;\n  let near = team - part * {0}u;", tiles_of(t));
  add_line(s, "  let tile = flat_group(group, groups) * {}u + near;", tiles_of(t));
  add_line(s, "  let place = place_of(min(tile, p.tiles - 1u));");
  add_line(s, "  let row = place.row * {}u;\n  let column = place.column * {}u;", t.rows, kLineColumns);
  add_line(s, "  let k_start = part * {}u;", t.depth);
  add_line(s, "  let b_at = unaligned((place.b + column * p.k + k_start * {}u) / 4u);", kLineColumns);
  for (uint32_t i = 0; i < t.rows; ++i)
    add_line(s, "  let a{0}_at = unaligned((place.a + min(row + {0}u, p.m - 1u) * p.a_row + k_start) / 4u);", i);
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kHalves; ++j) add_line(s, "  var c{}_{} = 0.0;", i, j);
  write_products(s, t);
  write_cut(s, t);
  add_line(s, "  let sums_at = (near * {}u + part) * {}u + lane;", t.parts, units_of(t) * kLineLanes);
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kHalves; ++j)
      add_line(s, "  sums[sums_at + {}u] = c{}_{};", (i * kHalves + j) * kLineLanes, i, j);
}

// Unit x of this subgroup's share of the tile: the sums of all parts, D, the epilogue.
void write_unit(std::string& s, const Line& t, const ProductForm& form, uint32_t x, uint32_t share) {
  using Place = EpilogueOperand::Place;
  const Epilogue& epilogue = form.epilogue;
  const uint32_t part = units_of(t) * kLineLanes;
  add_line(s, "  let unit{0} = min(part * {1}u + {0}u, {2}u);", x, share, units_of(t) - 1);
  add_line(s, "  let row{0} = row + unit{0} / {1}u;\n  let column{0} = column + unit{0} % {1}u * {2}u;", x, kHalves, kLineLanes);
  add_line(s, "  let in_row{0} = min(row{0}, p.m - 1u);", x);
  add_line(s, "  let from{0} = near * {1}u + unit{0} * {2}u + lane;", x, t.parts * part, kLineLanes);
  add_line(s, "  var v{0} = sums[from{0}];", x);
  for (uint32_t k = 1; k < t.parts; ++k) add_line(s, "  v{0} += sums[from{0} + {1}u];", x, k * part);
  add_line(s, "  let c{0}_at = unaligned((place.c + in_row{0} * p.c_row + column{0}) / 4u);", x);
  if (form.has_d) {
    add_line(s, "  let d{0}_at = unaligned((in_row{0} * p.d_row + p.c_start + column{0}) / 4u);", x);
    add_line(s, "  v{0} = fma(p.beta, pick(d[d{0}_at], d[d{0}_at + 1u], lane), v{0});", x);
  }
  if (!epilogue) return;
  std::string arguments = std::format("v{}", x);
  for (size_t e = 0; e < epilogue.operands.size(); ++e) {
    const Place place = epilogue.operands[e].place;
    if (place == Place::Column) add_line(s, "  let e{0}_at{1} = unaligned((p.c_start + column{1}) / 4u);", e, x);
    arguments += place == Place::Single ? std::format(", e{}[0].x", e)
                 : place == Place::Column
                     ? std::format(", pick(e{0}[e{0}_at{1}], e{0}[e{0}_at{1} + 1u], lane)", e, x)
                     : std::format(", pick(e{0}[c{1}_at], e{0}[c{1}_at + 1u], lane)", e, x);
  }
  add_line(s, "  v{} = value({});", x, arguments);
}

void write_whole(std::string& s, const Line& t, const ProductForm& form) {
  write_part(s, t);
  add_line(s, "  workgroupBarrier();");
  const uint32_t share = (units_of(t) + t.parts - 1) / t.parts;
  for (uint32_t x = 0; x < share; ++x) write_unit(s, t, form, x, share);
  for (uint32_t x = 0; x < share; ++x) {
    for (uint32_t h = 0; h < 2; ++h) {
      add_line(s, "  let v{0}_{1} = vec4<f32>(subgroupBroadcast(v{0}, {2}u), subgroupBroadcast(v{0}, {3}u), "
                 "subgroupBroadcast(v{0}, {4}u), subgroupBroadcast(v{0}, {5}u));", x, h, 4 * h, 4 * h + 1, 4 * h + 2, 4 * h + 3);
    }
    add_line(s, "  if (tile < p.tiles && part * {1}u + {0}u < {2}u && row{0} < p.m) {{", x, share, units_of(t));
    if (form.results == 1) {
      add_line(s, "    c[c{0}_at] = v{0}_0;\n    c[c{0}_at + 1u] = v{0}_1;\n  }}", x);
      continue;
    }
    for (uint32_t h = 0; h < 2; ++h) add_line(s, "    store(place.top + row{0}, p.c_start + column{0} + {2}u, v{0}_{1});", x, h, 4 * h);
    add_line(s, "  }}");
  }
}

}  // namespace

// Long parts keep sums in registers for longer but take longer to compile: 128 steps half a second. Several tiles in a workgroup
// share what making one costs.
Line whole_line(uint32_t rows, int64_t k, const Capabilities& caps) {
  constexpr int64_t kLeastDepth = 32, kMostDepth = 128, kTeams = 48, kMostTiles = 8;
  int64_t depth = std::min(k, kMostDepth) / 4 * 4;
  while (depth > 4 && k % depth != 0) depth -= 4;
  const int64_t parts = depth > 0 ? k / depth : 0;
  const int64_t teams = std::min(caps.max_group_size / kLineLanes, caps.max_group_memory / (rows * kLineColumns * 4));
  if (depth < std::min(k, kLeastDepth) || depth * parts != k || parts > teams) return {};
  const int64_t tiles = std::clamp<int64_t>(std::min(kTeams, teams) / parts, 1, kMostTiles);
  return {rows, static_cast<uint32_t>(depth), static_cast<uint32_t>(parts * tiles), true, false, static_cast<uint32_t>(parts)};
}

std::string line_text(const Line& t, const ProductForm& form) {
  ProgramText head(t.teams * kLineLanes);
  head.enable("subgroups").file("matmul/product").file("_line");
  add_epilogue(head, DBK_F32, form.epilogue);
  std::string s = head.str();
  add_line(s, "\n// One subgroup: {} rows by {} columns, {} steps of k.", t.rows, kLineColumns, t.depth);
  uint32_t binding = 0;
  const auto read = [&](std::string_view name) { add_line(s, "@group(0) @binding({}) var<storage, read> {}: array<vec4<f32>>;", binding++, name); };
  read("a");
  read("b");
  if (form.has_d) read("d");
  for (size_t e = 0; e < form.epilogue.operands.size(); ++e) read(std::format("e{}", e));
  if (line_reads_sums(t, form)) read("c");
  if (form.results > 1) s += part_bindings(form.results, binding, "vec4<f32>", 4);
  else add_line(s, "@group(0) @binding({}) var<storage, read_write> c: array<vec4<f32>>;", binding);
  add_line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", binding + form.results);
  if (t.parts > 0) add_line(s, "var<workgroup> sums: array<f32, {}>;\n", t.teams * units_of(t) * kLineLanes);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {{");
  if (t.parts > 0) {
    write_whole(s, t, form);
    return s + "}\n";
  }
  write_positions(s, t);
  write_sums(s, t, form.has_d);
  write_products(s, t);
  if (form.epilogue) write_epilogue(s, t, form.epilogue);
  write_stores(s, t, form.results);
  return s + "}\n";
}

std::string line_label(const Line& t, const ProductForm& form) {
  const std::string parts = t.parts > 0 ? std::format("x{}/whole", t.parts) : "";
  return std::format("matmul/f32/line{}x{}x{}{}{}{}{}", t.rows, kLineColumns, t.depth, parts, t.exact ? "/exact" : "", t.blocks ? "/blocks" : "",
                     product_label(form));
}

}  // namespace dbk::gpu
