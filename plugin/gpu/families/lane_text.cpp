#include "plugin/gpu/families/lane_text.h"

#include <algorithm>

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

using Access = Lane::Access;

constexpr std::string_view kComponents[] = {"x", "y", "z", "w"};

template <class... Args>
void line(std::string& text, std::format_string<Args...> form, Args&&... args) {
  text += std::format(form, std::forward<Args>(args)...);
  text += '\n';
}

// Positions of the tile: clamped for loads, so that edges read something that exists; stores compare with m and n.
void write_positions(std::string& s, const Lane& t) {
  line(s, "  let place = place_of(tile);");
  line(s, "  let row = place.row * {}u;", t.rows);
  line(s, "  let column = place.column * {}u + lane;", t.lanes * t.columns);
  const std::string_view quarter = t.access == Access::Elements ? "" : " / 4u";
  for (uint32_t i = 0; i < t.rows; ++i)
    line(s, "  var a{0}_at = (place.a + min(row + {0}u, p.m - 1u) * p.a_row){1};", i, quarter);
  for (uint32_t j = 0; j < t.columns; ++j)
    line(s, "  var b{0}_at = (place.b + min(column + {1}u, p.n - 1u) * p.b_column){2};", j, j * t.lanes,
         t.access == Access::RowsColumns ? " / 4u" : "");
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < t.columns; ++j) line(s, "  var c{}_{} = 0.0;", i, j);
}

void write_products(std::string& s, const Lane& t, std::string_view a_component, std::string_view b_component) {
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < t.columns; ++j)
      line(s, "    c{0}_{1} = fma(a{0}{2}, b{1}{3}, c{0}_{1});", i, j, a_component, b_component);
}

void write_loads(std::string& s, char operand, uint32_t count, std::string_view type, std::string_view step) {
  for (uint32_t i = 0; i < count; ++i) line(s, "    let {0}{1} = {2}({0}[{0}{1}_at]);", operand, i, type);
  for (uint32_t i = 0; i < count; ++i) line(s, "    {}{}_at += {};", operand, i, step);
}

// Four steps of k: A's rows are one vec4 each; B's are a vec4 each, or four elements in scopes of their own.
void write_vector_loop(std::string& s, const Lane& t) {
  line(s, "  for (var k = 0u; k < p.k; k += 4u) {{");
  write_loads(s, 'a', t.rows, "vec4<f32>", "1u");
  if (t.access == Access::RowsColumns) write_loads(s, 'b', t.columns, "vec4<f32>", "1u");
  for (uint32_t u = 0; u < 4; ++u) {
    const std::string component = std::format(".{}", kComponents[u]);
    if (t.access == Access::RowsColumns) {
      write_products(s, t, component, component);
      continue;
    }
    line(s, "    {{");
    write_loads(s, 'b', t.columns, "f32", "p.b_k");
    write_products(s, t, component, "");
    line(s, "    }}");
  }
  line(s, "  }}");
}

void write_element_loop(std::string& s, const Lane& t) {
  line(s, "  for (var k = 0u; k < p.k; k++) {{");
  write_loads(s, 'a', t.rows, "f32", "p.a_k");
  write_loads(s, 'b', t.columns, "f32", "p.b_k");
  write_products(s, t, "", "");
  line(s, "  }}");
}

// The sum of row i and column j (an offset) with the epilogue applied.
std::string finished(const std::string& sum, uint32_t i, uint32_t j, const Epilogue& epilogue) {
  if (!epilogue) return sum;
  std::string arguments = sum;
  for (size_t e = 0; e < epilogue.operands.size(); ++e) {
    std::string at = "0u";
    if (epilogue.operands[e].place == EpilogueOperand::Place::Whole)
      at = std::format("place.c + (row + {}u) * p.c_row + column + {}u", i, j);
    if (epilogue.operands[e].place == EpilogueOperand::Place::Column) at = std::format("p.c_start + column + {}u", j);
    arguments += std::format(", f32(e{}[{}])", e, at);
  }
  return std::format("value({})", arguments);
}

void write_stores(std::string& s, const Lane& t, bool scaled, bool has_d, const Epilogue& epilogue) {
  for (uint32_t i = 0; i < t.rows; ++i) {
    line(s, "  if (row + {}u < p.m) {{", i);
    for (uint32_t j = 0; j < t.columns; ++j) {
      std::string value = std::format("c{}_{}", i, j);
      if (scaled) value = std::format("p.alpha * {}", value);
      if (has_d)
        value = std::format("fma(p.beta, f32(d[(row + {}u) * p.d_row + (p.c_start + column + {}u) * p.d_column]), {})",
                            i, j * t.lanes, value);
      value = finished(value, i, j * t.lanes, epilogue);
      line(s, "    if (column + {0}u < p.n) {{ c[place.c + (row + {1}u) * p.c_row + column + {0}u] = elem({2}); }}",
           j * t.lanes, i, value);
    }
    line(s, "  }}");
  }
}

}  // namespace

Lane lane_for(Access access, const Capabilities& caps) {
  // A row of A is read once per workgroup, at an address that depends on the workgroup alone: a scalar load where the
  // workgroup is one subgroup, so it is made exactly that wide. On CPU adapters that is 8 lanes with 16 registers of 8
  // floats: 6 x 2 accumulators leave room for the operands. GPUs have registers for 8 x 4 and want the work per load.
  if (caps.cpu_adapter) return {access, std::clamp(caps.subgroup_max, 4u, 16u), 6, 2};
  return {access, std::clamp(caps.subgroup_max, 32u, 64u), 8, 4};
}

std::string lane_text(const Lane& t, DType dtype, bool scaled, bool has_d, const Epilogue& epilogue) {
  ProgramText head(t.lanes);
  head.alias("elem", to_string(dtype)).file("matmul/product");
  add_epilogue(head, dtype, epilogue);
  std::string s = head.str();
  line(s, "\n// Each lane owns {} columns, {} apart, of a tile of {} rows; sums are f32 in registers.", t.columns,
       t.lanes, t.rows);
  line(s, "@group(0) @binding(0) var<storage, read> a: array<{}>;",
       t.access == Access::Elements ? "elem" : "vec4<elem>");
  line(s, "@group(0) @binding(1) var<storage, read> b: array<{}>;",
       t.access == Access::RowsColumns ? "vec4<elem>" : "elem");
  uint32_t binding = 2;
  if (has_d) line(s, "@group(0) @binding({}) var<storage, read> d: array<elem>;", binding++);
  for (size_t e = 0; e < epilogue.operands.size(); ++e)
    line(s, "@group(0) @binding({}) var<storage, read> e{}: array<elem>;", binding++, e);
  line(s, "@group(0) @binding({}) var<storage, read_write> c: array<elem>;", binding++);
  line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", binding);
  line(s, "@compute @workgroup_size(group_size)");
  line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  line(s, "  let tile = flat_group(group, groups);");
  line(s, "  if (tile >= p.tiles) {{\n    return;\n  }}");
  write_positions(s, t);
  t.access == Access::Elements ? write_element_loop(s, t) : write_vector_loop(s, t);
  write_stores(s, t, scaled, has_d, epilogue);
  return s + "}\n";
}

std::string lane_label(const Lane& t, DType dtype, bool scaled, bool has_d, const Epilogue& epilogue) {
  constexpr std::string_view kNames[] = {"rows", "columns", "elements"};
  return std::format("matmul/{}/lane{}x{}x{}/{}{}{}{}", to_string(dtype), t.rows, t.columns, t.lanes,
                     kNames[static_cast<size_t>(t.access)], scaled ? "/alpha" : "", has_d ? "/beta" : "", epilogue_label(epilogue));
}

}  // namespace dbk::gpu
