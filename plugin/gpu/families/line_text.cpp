// Why the text looks as it does, each point measured on llvmpipe. Inside a loop or branch every load gets a bounds test, so they stand
// outside and edges are clamped. `zero` and the mask keep addresses from being proven aligned, which would split the loads. A store
// that never happens keeps all sums alive together, else each chain of products is compiled apart; between stretches of products,
// such stores also cut the text into pieces, since compile time grows with the square of the longest. Barriers cost nothing where
// little is alive across them.
#include "plugin/gpu/families/line_text.h"

#include "plugin/gpu/families/line_pieces.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

void write_positions(std::string& s, const Line& t) {
  if (t.exact) {
    add_line(s,
            "  let place = Place(group.x * {}u + team, group.y, group.z * p.batch[0].a, group.z * p.batch[0].b, "
            "group.z * p.m * p.c_row + p.c_start, group.z * p.m);",
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
  write_b_place(s, t, "p.k_start");
  for (uint32_t i = 0; i < t.rows; ++i) {
    if (t.exact)
      add_line(s, "  let row{0} = row + {0}u;", i);
    else
      add_line(s, "  let row{0} = min(row + {0}u, p.m - 1u);", i);
    write_a_place(s, t, i, std::format("row{}", i), "p.k_start");
    add_line(s, "  let c{0}_at = unaligned((place.c + row{0} * p.c_row + column) / 4u);", i);
  }
}

std::string picked_d(const ProductForm& form, uint32_t i, uint32_t j) { return picked(form.dtype, "d", std::format("d{}_at", i), 2 * j); }

void declare_sums(std::string& s, const Line& t) {
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kLineHalves; ++j) add_line(s, "  var c{}_{} = 0.0;", i, j);
}

// What the dispatches before have, or D, unless it is scaled in the end. Added behind the products, as a sum of sums loses less than one long sum.
void add_sums_before(std::string& s, const Line& t, const ProductForm& form) {
  for (uint32_t i = 0; i < t.rows; ++i) {
    if (form.has_d) add_line(s, "  let d{0}_at = unaligned((row{0} * p.d_row + p.c_start + column) / 4u);", i);
    for (uint32_t j = 0; j < kLineHalves; ++j) {
      const std::string start = form.has_d && !form.scaled ? "p.beta * " + picked_d(form, i, j) : "0.0";
      add_line(s, "  c{0}_{1} += select({2}, {3}, first);", i, j, picked(DBK_F32, "c", std::format("c{}_at", i), 2 * j), start);
    }
  }
}

void write_scaled(std::string& s, const Line& t, const ProductForm& form) {
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kLineHalves; ++j) {
      if (form.has_d)
        add_line(s, "  c{0}_{1} = fma(p.beta, {2}, p.alpha * c{0}_{1});", i, j, picked_d(form, i, j));
      else
        add_line(s, "  c{}_{} *= p.alpha;", i, j);
    }
}

// Sums become results, straight-line as everything here. Operands of the result's shape lie where it lies; those of columns are read once
// for all rows.
void write_epilogue(std::string& s, const Line& t, const ProductForm& form) {
  using Place = EpilogueOperand::Place;
  const std::vector<EpilogueOperand>& operands = form.epilogue.operands;
  for (size_t e = 0; e < operands.size(); ++e) {
    const std::string array = std::format("e{}", e);
    if (operands[e].place == Place::Column) add_line(s, "  let {}_at = unaligned((p.c_start + column) / 4u);", array);
    for (uint32_t j = 0; j < kLineHalves; ++j) {
      if (operands[e].place == Place::Column) add_line(s, "  let {}_{} = {};", array, j, picked(operands[e].dtype, array, array + "_at", 2 * j));
      if (operands[e].place == Place::Single) add_line(s, "  let {}_{} = {};", array, j, single(operands[e].dtype, array));
    }
  }
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kLineHalves; ++j) {
      std::string arguments = std::format("c{}_{}", i, j);
      for (size_t e = 0; e < operands.size(); ++e)
        arguments += ", " + (operands[e].place == Place::Whole ? picked(operands[e].dtype, std::format("e{}", e), std::format("c{}_at", i), 2 * j)
                                                               : std::format("e{}_{}", e, j));
      add_line(s, "  c{}_{} = value({});", i, j, arguments);
    }
}

// The array that is written, where it is one: C holds the sums, too, where it can.
std::string_view result_name(const Line& t, const ProductForm& form) { return line_reads_sums(t, form) ? "y" : "c"; }
// Four lanes of a sum as the vector that is stored.
std::string quarter(const ProductForm& form, uint32_t i, uint32_t q) { return stored_lanes(form.stored(), std::format("c{}_{}", i, q / 2), q % 2); }

// Columns q4 .. q4 + 3 of row i.
std::string store_quarter(const Line& t, const ProductForm& form, uint32_t i, uint32_t q) {
  return form.results > 1 ? std::format("store(place.top + row{0}, p.c_start + column + {2}u, v{0}_{1});", i, q, 4 * q)
                          : std::format("{2}[c{0}_at + {1}u] = v{0}_{1};", i, q, result_name(t, form));
}

void write_stores(std::string& s, const Line& t, const ProductForm& form) {
  std::string all;
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < kLineHalves; ++j) all += std::format("{}c{}_{}", all.empty() ? "" : " + ", i, j);
  add_line(s, "  let v0_0 = {};", quarter(form, 0, 0));
  add_line(s, "  if (subgroupBroadcast({}, 0u) == 1.2345e37) {{\n    {}\n  }}", all, store_quarter(t, form, 0, 0));
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t q = 0; q < 2 * kLineHalves; ++q)
      if (i + q > 0) add_line(s, "  let v{}_{} = {};", i, q, quarter(form, i, q));
  if (t.exact) {
    for (uint32_t i = 0; i < t.rows; ++i)
      for (uint32_t q = 0; q < 2 * kLineHalves; ++q) add_line(s, "  {}", store_quarter(t, form, i, q));
    return;
  }
  // Columns before the tile's own (the last tile is moved back inside) belong to its neighbour.
  add_line(s, "  let own = place.column * {}u - column;", kLineColumns);
  for (uint32_t i = 0; i < t.rows; ++i) {
    add_line(s, "  if (tile < p.tiles && row + {}u < p.m) {{", i);
    for (uint32_t q = 0; q < 2 * kLineHalves; ++q)
      add_line(s, "    if (own <= {}u) {{ {} }}", 4 * q, store_quarter(t, form, i, q));
    add_line(s, "  }}");
  }
}

void write_steps(std::string& s, const Line& t, const ProductForm& form) {
  write_positions(s, t);
  declare_sums(s, t);
  write_products(s, t, form.dtype);
  add_sums_before(s, t, form);
  if (form.scaled) write_scaled(s, t, form);
  if (form.epilogue) write_epilogue(s, t, form);
  write_stores(s, t, form);
}

void write_bindings(std::string& s, const Line& t, const ProductForm& form) {
  uint32_t binding = 0;
  const auto vectors = [](DType dtype) { return std::format("vec4<{}>", to_string(dtype)); };
  const auto read = [&](std::string_view name, DType dtype) {
    add_line(s, "@group(0) @binding({}) var<storage, read> {}: array<{}>;", binding++, name, vectors(dtype));
  };
  read("a", form.dtype);
  read("b", form.dtype);
  if (form.has_d) read("d", form.dtype);
  for (size_t e = 0; e < form.epilogue.operands.size(); ++e) read(std::format("e{}", e), form.epilogue.operands[e].dtype);
  if (line_reads_sums(t, form)) read("c", DBK_F32);
  if (form.results > 1) s += part_bindings(form.results, binding, vectors(form.stored()), 4);
  else add_line(s, "@group(0) @binding({}) var<storage, read_write> {}: array<{}>;", binding, result_name(t, form), vectors(form.stored()));
  add_line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", binding + form.results);
  if (t.parts > 0) add_line(s, "var<workgroup> sums: array<f32, {}>;\n", sums_of_group(t));
}

}  // namespace

std::string line_text(const Line& t, const ProductForm& form) {
  ProgramText head(t.teams * kLineLanes);
  head.enable("subgroups");
  const bool any_f16 = form.dtype == DBK_F16 || form.stored() == DBK_F16;
  if (any_f16) head.enable("f16");
  head.file("matmul/product").file("_line").file("_line_store");
  if (any_f16) head.file("_line_f16");
  add_epilogue(head, form.dtype, form.epilogue);
  std::string s = head.str();
  add_line(s, "\n// One subgroup: {} rows by {} columns, {} steps of k.", t.rows, kLineColumns, t.depth);
  write_bindings(s, t, form);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {{");
  t.parts > 0 ? write_whole(s, t, form) : write_steps(s, t, form);
  return s + "}\n";
}

std::string line_label(const Line& t, const ProductForm& form) {
  constexpr std::string_view kB[] = {"", "/blocks", "/turned"};
  const std::string parts = t.parts > 0 ? std::format("x{}/whole", t.parts) : "";
  return std::format("matmul/{}/line{}x{}x{}{}{}{}{}{}", to_string(form.dtype), t.rows, kLineColumns, t.depth, parts, t.exact ? "/exact" : "",
                     t.columns_of_a ? "/columns" : "", kB[static_cast<size_t>(t.b)], product_label(form));
}

}  // namespace dbk::gpu
