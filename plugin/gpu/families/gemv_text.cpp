#include "plugin/gpu/families/gemv_text.h"

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kUnroll = 4;  // loads of B on their way at a time

void write_steps(std::string& s, const Gemv& g, uint32_t count) {
  for (uint32_t u = 0; u < count; ++u) add_line(s, "    let b{0} = f32(b[b_at + (k + {1}u) * p.b_k]);", u, u * g.along);
  for (uint32_t u = 0; u < count; ++u)
    for (uint32_t i = 0; i < g.rows; ++i)
      add_line(s, "    c{0} = fma(f32(a[a{0}_at + (k + {1}u) * p.a_k]), b{2}, c{0});", i, u * g.along, u);
}

// Rows that do not exist repeat the last one, columns likewise; both are not stored.
void write_sums(std::string& s, const Gemv& g, bool partial) {
  add_line(s, "  let column = lane {} {}u;", g.k_first ? "/" : "%", g.k_first ? g.along : g.across);
  add_line(s, "  let part = lane {} {}u;", g.k_first ? "%" : "/", g.k_first ? g.along : g.across);
  add_line(s, "  let b_at = place.b + min(place.column * {}u + column, p.n - 1u) * p.b_column;", g.across);
  for (uint32_t i = 0; i < g.rows; ++i) {
    add_line(s, "  let a{0}_at = place.a + min({0}u, p.m - 1u) * p.a_row;", i);
    add_line(s, "  var c{} = 0.0;", i);
  }
  const std::string_view end = product_steps(partial).end;
  add_line(s, "  var k = {}part;", partial ? "k_first + " : "");
  add_line(s, "  for (; k + {}u < {}; k += {}u) {{", (kUnroll - 1) * g.along, end, kUnroll * g.along);
  write_steps(s, g, kUnroll);
  add_line(s, "  }}\n  for (; k < {}; k += {}u) {{", end, g.along);
  write_steps(s, g, 1);
  add_line(s, "  }}");
  for (uint32_t i = 0; i < g.rows; ++i) add_line(s, "  sums[({}u + column) * {}u + part] = c{};", i * g.across, g.along, i);
}

}  // namespace

std::string gemv_text(const Gemv& g, const ProductForm& form) {
  ProgramText head(g.threads());
  head.alias("elem", to_string(form.dtype)).file("matmul/product");
  add_epilogue(head, form.dtype, form.epilogue);
  std::string s = head.str();
  add_line(s, "\n// A workgroup: {} columns of up to {} rows; {} invocations share a sum.", g.across, g.rows, g.along);
  s += product_bindings(form, {{"a", "elem"}, {"b", "elem"}});
  add_line(s, "var<workgroup> sums: array<f32, {}>;\n", g.rows * g.threads());
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  s += product_place(form.partial);
  write_sums(s, g, form.partial);
  add_line(s, "  workgroupBarrier();");
  add_line(s, "  for (var i = lane; i < {}u; i += group_size) {{", g.rows * g.across);
  add_line(s, "    let row = i / {0}u;\n    let at = place.column * {0}u + i % {0}u;", g.across);
  add_line(s, "    var sum = 0.0;\n    for (var j = 0u; j < {0}u; j++) {{\n      sum += sums[i * {0}u + j];\n    }}", g.along);
  add_line(s, "    if (row < p.m && at < p.n) {{ {} }}\n  }}", product_store(form, "row", "at", product_value(form, "sum", "row", "at")));
  return s + "}\n";
}

std::string gemv_label(const Gemv& g, const ProductForm& form) {
  return std::format("matmul/{}/gemv{}/{}x{}{}{}", to_string(form.dtype), g.rows, g.across, g.along, g.k_first ? "/columns" : "", product_label(form));
}

}  // namespace dbk::gpu
