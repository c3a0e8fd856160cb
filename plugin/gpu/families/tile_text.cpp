#include "plugin/gpu/families/tile_text.h"

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

uint32_t threads_across(const Tile& t) { return t.columns / t.thread_columns; }
uint32_t quads(const Tile& t) { return t.thread_columns / 4; }  // vec4 of columns of an invocation

// `load_a`: four steps of k of a row; `load_b`: four columns of a step of k.
void write_loads(std::string& s, const Tile& t) {
  if (t.vectors_of_a) {
    add_line(s, "fn load_a(base: u32, row: u32, k: u32) -> vec4<f32> {{");
    add_line(s, "  if (row >= p.m || k >= p.k) {{\n    return vec4<f32>();\n  }}");
    add_line(s, "  return vec4<f32>(a[(base + row * p.a_row + k) / 4u]);\n}}\n");
  } else {
    add_line(s, "fn element_of_a(base: u32, row: u32, k: u32) -> f32 {{");
    add_line(s, "  if (row >= p.m || k >= p.k) {{\n    return 0.0;\n  }}");
    add_line(s, "  return f32(a[base + row * p.a_row + k * p.a_k]);\n}}\n");
    add_line(s, "fn load_a(base: u32, row: u32, k: u32) -> vec4<f32> {{");
    add_line(s, "  return vec4<f32>(element_of_a(base, row, k), element_of_a(base, row, k + 1u), element_of_a(base, row, k + 2u),");
    add_line(s, "                   element_of_a(base, row, k + 3u));\n}}\n");
  }
  if (t.vectors_of_b) {
    add_line(s, "fn load_b(base: u32, k: u32, column: u32) -> vec4<f32> {{");
    add_line(s, "  if (k >= p.k || column >= p.n) {{\n    return vec4<f32>();\n  }}");
    add_line(s, "  return vec4<f32>(b[(base + k * p.b_k + column) / 4u]);\n}}\n");
  } else {
    add_line(s, "fn element_of_b(base: u32, k: u32, column: u32) -> f32 {{");
    add_line(s, "  if (k >= p.k || column >= p.n) {{\n    return 0.0;\n  }}");
    add_line(s, "  return f32(b[base + k * p.b_k + column * p.b_column]);\n}}\n");
    add_line(s, "fn load_b(base: u32, k: u32, column: u32) -> vec4<f32> {{");
    add_line(s, "  return vec4<f32>(element_of_b(base, k, column), element_of_b(base, k, column + 1u), element_of_b(base, k, column + 2u),");
    add_line(s, "                   element_of_b(base, k, column + 3u));\n}}\n");
  }
}

// Each invocation copies its share of both tiles, a vec4 at a time, neighbours side by side.
void write_copies(std::string& s, const Tile& t) {
  const uint32_t steps = t.depth / 4, across = t.columns / 4;
  for (uint32_t at = 0; at < t.rows * steps; at += t.threads()) {
    add_line(s, "    a_tile[lane + {0}u] = load_a(place.a, place.row * {1}u + (lane + {0}u) / {2}u, k + (lane + {0}u) % {2}u * 4u);", at, t.rows,
             steps);
  }
  for (uint32_t at = 0; at < t.depth * across; at += t.threads()) {
    add_line(s, "    b_tile[lane + {0}u] = load_b(place.b, k + (lane + {0}u) / {2}u, place.column * {1}u + (lane + {0}u) % {2}u * 4u);", at,
             t.columns, across);
  }
}

void write_products(std::string& s, const Tile& t) {
  const uint32_t steps = t.depth / 4, across = t.columns / 4;
  add_line(s, "    for (var u = 0u; u < {}u; u++) {{", steps);
  for (uint32_t i = 0; i < t.thread_rows; ++i) add_line(s, "      let a{0} = a_tile[(down * {1}u + {0}u) * {2}u + u];", i, t.thread_rows, steps);
  for (uint32_t v = 0; v < 4; ++v) {
    for (uint32_t j = 0; j < quads(t); ++j)
      add_line(s, "      let b{0}_{1} = b_tile[(u * 4u + {0}u) * {2}u + across + {3}u];", v, j, across, j * threads_across(t));
    for (uint32_t i = 0; i < t.thread_rows; ++i)
      for (uint32_t j = 0; j < quads(t); ++j)
        add_line(s, "      c{0}_{1} = fma(vec4<f32>(a{0}.{2}), b{3}_{1}, c{0}_{1});", i, j, kComponents[v], v);
  }
  add_line(s, "    }}");
}

void write_stores(std::string& s, const Tile& t, const ProductForm& form) {
  add_line(s, "  let row = place.row * {}u + down * {}u;", t.rows, t.thread_rows);
  add_line(s, "  let column = place.column * {}u + across * 4u;", t.columns);
  for (uint32_t i = 0; i < t.thread_rows; ++i) {
    add_line(s, "  if (row + {}u < p.m) {{", i);
    for (uint32_t j = 0; j < quads(t); ++j)
      for (uint32_t e = 0; e < 4; ++e) {
        const std::string row = std::format("row + {}u", i), column = std::format("column + {}u", 4 * j * threads_across(t) + e);
        const std::string value = product_value(form, std::format("c{}_{}.{}", i, j, kComponents[e]), row, column);
        add_line(s, "    if ({} < p.n) {{ {} }}", column, product_store(form, row, column, value));
      }
    add_line(s, "  }}");
  }
}

}  // namespace

std::string tile_text(const Tile& t, const ProductForm& form) {
  ProgramText head(t.threads());
  head.alias("elem", to_string(form.dtype)).file("matmul/product");
  add_epilogue(head, form.dtype, form.epilogue);
  std::string s = head.str();
  add_line(s, "\n// A workgroup: {} rows by {} columns, {} steps of k at a time; an invocation: {} by {}.", t.rows, t.columns, t.depth, t.thread_rows,
           t.thread_columns);
  s += product_bindings(form, {{"a", t.vectors_of_a ? "vec4<elem>" : "elem"}, {"b", t.vectors_of_b ? "vec4<elem>" : "elem"}});
  add_line(s, "var<workgroup> a_tile: array<vec4<f32>, {}>;  // rows, each four steps of k at a time", t.rows * t.depth / 4);
  add_line(s, "var<workgroup> b_tile: array<vec4<f32>, {}>;  // steps of k, each four columns at a time\n", t.depth * t.columns / 4);
  write_loads(s, t);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  s += product_place(form.partial);
  add_line(s, "  let across = lane % {0}u;\n  let down = lane / {0}u;", threads_across(t));
  for (uint32_t i = 0; i < t.thread_rows; ++i)
    for (uint32_t j = 0; j < quads(t); ++j) add_line(s, "  var c{}_{} = vec4<f32>();", i, j);
  const ProductSteps steps = product_steps(form.partial);
  add_line(s, "  for (var k = {}; k < {}; k += {}u) {{", steps.first, steps.end, t.depth);
  write_copies(s, t);
  add_line(s, "    workgroupBarrier();");
  write_products(s, t);
  add_line(s, "    workgroupBarrier();\n  }}");
  write_stores(s, t, form);
  return s + "}\n";
}

std::string tile_label(const Tile& t, const ProductForm& form) {
  const auto access = [](bool vectors) { return vectors ? "v" : "e"; };
  return std::format("matmul/{}/tile{}x{}x{}/{}x{}/{}{}{}", to_string(form.dtype), t.rows, t.columns, t.depth, t.thread_rows, t.thread_columns,
                     access(t.vectors_of_a), access(t.vectors_of_b), product_label(form));
}

}  // namespace dbk::gpu
