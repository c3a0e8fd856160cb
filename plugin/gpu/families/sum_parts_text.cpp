#include "plugin/gpu/families/sum_parts_text.h"

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

std::string sum_parts_text(const ProductForm& form) {
  ProgramText head;
  head.alias("elem", to_string(form.dtype)).file("matmul/product");
  add_epilogue(head, form.dtype, form.epilogue);
  std::string s = head.str();
  add_line(s, "\n// An invocation: one element of C.");
  s += product_bindings(form, {{"sums", "f32"}});
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  add_line(s, "  let i = flat_group(group, groups) * group_size + lane;\n  if (i >= p.part_size) {{\n    return;\n  }}");
  add_line(s, "  let below = i / p.n;\n  let column = i - below * p.n;");
  add_line(s, "  let batch = below / p.m;\n  let row = below - batch * p.m;");
  add_line(s, "  let place = Place(0u, 0u, 0u, 0u, batch * p.m * p.c_row, batch * p.m);");
  add_line(s, "  var sum = sums[i];\n  for (var k_part = 1u; k_part < p.parts; k_part++) {{\n    sum += sums[k_part * p.part_size + i];\n  }}");
  add_line(s, "  {}", product_store(form, "row", "column", product_value(form, "sum", "row", "column")));
  return s + "}\n";
}

std::string sum_parts_label(const ProductForm& form) { return std::format("matmul/{}/sum_parts{}", to_string(form.dtype), product_label(form)); }

}  // namespace dbk::gpu
