#include "plugin/gpu/families/lane_text.h"

#include <algorithm>

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

using Access = Lane::Access;

// Positions of the tile: clamped for loads, so that edges read something that exists; stores compare with m and n.
void write_positions(std::string& s, const Lane& t, bool partial) {
  add_line(s, "  let row = place.row * {}u;", t.rows);
  add_line(s, "  let column = place.column * {}u + lane;", t.lanes * t.columns);
  const std::string_view quarter = t.access == Access::Elements ? "" : " / 4u";
  for (uint32_t i = 0; i < t.rows; ++i)
    add_line(s, "  var a{0}_at = (place.a + min(row + {0}u, p.m - 1u) * p.a_row{2}){1};", i, quarter, partial ? " + k_first * p.a_k" : "");
  for (uint32_t j = 0; j < t.columns; ++j)
    add_line(s, "  var b{0}_at = (place.b + min(column + {1}u, p.n - 1u) * p.b_column{3}){2};", j, j * t.lanes,
         t.access == Access::RowsColumns ? " / 4u" : "", partial ? " + k_first * p.b_k" : "");
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < t.columns; ++j) add_line(s, "  var c{}_{} = 0.0;", i, j);
}

void write_products(std::string& s, const Lane& t, std::string_view a_component, std::string_view b_component) {
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < t.columns; ++j)
      add_line(s, "    c{0}_{1} = fma(a{0}{2}, b{1}{3}, c{0}_{1});", i, j, a_component, b_component);
}

void write_loads(std::string& s, char operand, uint32_t count, std::string_view type, std::string_view step) {
  for (uint32_t i = 0; i < count; ++i) add_line(s, "    let {0}{1} = {2}({0}[{0}{1}_at]);", operand, i, type);
  for (uint32_t i = 0; i < count; ++i) add_line(s, "    {}{}_at += {};", operand, i, step);
}

// Four steps of k: A's rows are one vec4 each; B's are a vec4 each, or four elements in scopes of their own.
void write_vector_loop(std::string& s, const Lane& t, const ProductSteps& steps) {
  add_line(s, "  for (var k = {}; k < {}; k += 4u) {{", steps.first, steps.end);
  write_loads(s, 'a', t.rows, "vec4<f32>", "1u");
  if (t.access == Access::RowsColumns) write_loads(s, 'b', t.columns, "vec4<f32>", "1u");
  for (uint32_t u = 0; u < 4; ++u) {
    const std::string component = std::format(".{}", kComponents[u]);
    if (t.access == Access::RowsColumns) {
      write_products(s, t, component, component);
      continue;
    }
    add_line(s, "    {{");
    write_loads(s, 'b', t.columns, "f32", "p.b_k");
    write_products(s, t, component, "");
    add_line(s, "    }}");
  }
  add_line(s, "  }}");
}

void write_element_loop(std::string& s, const Lane& t, const ProductSteps& steps) {
  add_line(s, "  for (var k = {}; k < {}; k++) {{", steps.first, steps.end);
  write_loads(s, 'a', t.rows, "f32", "p.a_k");
  write_loads(s, 'b', t.columns, "f32", "p.b_k");
  write_products(s, t, "", "");
  add_line(s, "  }}");
}

void write_stores(std::string& s, const Lane& t, const ProductForm& form) {
  for (uint32_t i = 0; i < t.rows; ++i) {
    add_line(s, "  if (row + {}u < p.m) {{", i);
    for (uint32_t j = 0; j < t.columns; ++j) {
      const std::string row = std::format("row + {}u", i), column = std::format("column + {}u", j * t.lanes);
      const std::string value = product_value(form, std::format("c{}_{}", i, j), row, column);
      add_line(s, "    if ({} < p.n) {{ {} }}", column, product_store(form, row, column, value));
    }
    add_line(s, "  }}");
  }
}

}  // namespace

// A row of A is read once per workgroup, at an address that depends on the workgroup alone: a scalar load where the workgroup is one
// subgroup, so it is made exactly that wide. On CPU adapters that is 8 lanes with 16 registers of 8 floats: 6 x 2 accumulators leave room
// for the operands. GPUs have registers for 8 x 4 and want the work per load.
std::vector<Lane> lane_sizes(Access access, const Capabilities& caps) {
  if (caps.cpu_adapter) {
    const uint32_t lanes = std::clamp(caps.subgroup_max, 4u, 16u);
    return {{access, lanes, 6, 2}, {access, lanes, 4, 2}, {access, lanes, 9, 3}, {access, lanes, 2, 4}, {access, lanes, 1, 4}};
  }
  const uint32_t lanes = std::clamp(caps.subgroup_max, 32u, 64u);
  return {{access, lanes, 8, 4}, {access, lanes, 4, 4}, {access, lanes, 1, 4}};
}

std::string lane_text(const Lane& t, const ProductForm& form) {
  ProgramText head(t.lanes);
  head.alias("elem", to_string(form.dtype)).file("matmul/product");
  add_epilogue(head, form.dtype, form.epilogue);
  std::string s = head.str();
  add_line(s, "\n// Each lane owns {} columns, {} apart, of a tile of {} rows; sums are f32 in registers.", t.columns, t.lanes, t.rows);
  s += product_bindings(form, {{"a", t.access == Access::Elements ? "elem" : "vec4<elem>"}, {"b", t.access == Access::RowsColumns ? "vec4<elem>" : "elem"}});
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  s += product_place(form.partial);
  write_positions(s, t, form.partial);
  const ProductSteps steps = product_steps(form.partial);
  t.access == Access::Elements ? write_element_loop(s, t, steps) : write_vector_loop(s, t, steps);
  write_stores(s, t, form);
  return s + "}\n";
}

std::string lane_label(const Lane& t, const ProductForm& form) {
  constexpr std::string_view kNames[] = {"rows", "columns", "elements"};
  return std::format("matmul/{}/lane{}x{}x{}/{}{}", to_string(form.dtype), t.rows, t.columns, t.lanes, kNames[static_cast<size_t>(t.access)],
                     product_label(form));
}

}  // namespace dbk::gpu
