#include "plugin/gpu/families/coop_text.h"

#include "plugin/gpu/families/coop_operand.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/stored_type.h"
#include "plugin/gpu/families/vendor_table.h"

namespace dbk::gpu {

namespace {

// Elements of matrices, and sums.
std::string_view part_of(OperandForm form) {
  constexpr std::string_view kNames[] = {"", "f16", "f16", "f32", "i8", "u8"};
  return kNames[static_cast<size_t>(form)];
}
std::string_view sum_of(OperandForm form) { return form == OperandForm::F16Sums ? "f16" : form == OperandForm::F16 ? "f32" : word_of(form); }

void write_products(std::string& s, const Coop& t, const ProductSteps& steps) {
  const std::string_view part = part_of(t.form);
  add_line(s, "  for (var k = {}; k < {}; k += {}u) {{", steps.first, steps.end, of_bytes(t.form) ? t.k / 4 : t.k);
  for (uint32_t i = 0; i < t.rows; ++i)
    add_line(s, "    let a{0} = subgroupMatrixLoad<subgroup_matrix_left<{1}, {2}, {3}>, row_major>(&a, a_at + {4}u * p.a_row + k, p.a_row);", i, part,
             t.k, t.m, i * t.m);
  for (uint32_t j = 0; j < t.columns; ++j) {
    add_line(s, "    let b{0} = subgroupMatrixLoad<subgroup_matrix_right<{1}, {2}, {3}>, col_major>(&b, b_at + {4}u * p.b_column + k, p.b_column);", j,
             part, t.n, t.k, j * t.n);
    for (uint32_t i = 0; i < t.rows; ++i) add_line(s, "    c{0}_{1} = subgroupMatrixMultiplyAccumulate(a{0}, b{1}, c{0}_{1});", i, j);
  }
  add_line(s, "  }}");
}

// One result after the other through the subgroup's part of workgroup memory. `element` has the lines that store element e of it, which lies
// in C at `row` and `column`.
void write_stores(std::string& s, const Coop& t, std::string_view element) {
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < t.columns; ++j) {
      add_line(s, "  if (works) {{ subgroupMatrixStore<row_major>(&staged, staged_at, c{}_{}, {}u); }}", i, j, t.n);
      add_line(s, "  workgroupBarrier();");
      add_line(s, "  for (var e = select({0}u, lane, works); e < {0}u; e += lanes) {{", t.m * t.n);
      add_line(s, "    let row = first_row + {}u + e / {}u;\n    let column = first_column + {}u + e % {}u;", i * t.m, t.n, j * t.n, t.n);
      add_line(s, "    if (row < p.m && column < p.n) {{");
      s += element;
      add_line(s, "    }}\n  }}\n  workgroupBarrier();");
    }
}

ProgramText head_of(const Coop& t) {
  ProgramText head(t.threads());
  head.enable("subgroups").enable("chromium_experimental_subgroup_matrix").turn_off("chromium.subgroup_matrix_uniformity");
  head.alias("part", word_of(t.form));
  return head;
}

void write_main(std::string& s, const Coop& t, std::string_view element, bool partial) {
  add_line(s, "var<workgroup> staged: array<{}, {}>;\n", sum_of(t.form), t.teams() * t.m * t.n);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) lanes: u32) {{");
  s += product_place(partial);
  add_line(s, "  let works = team < {}u;  // there are more where subgroups are smaller than the largest", t.teams());
  add_line(s, "  let place_in_group = min(team, {}u);", t.teams() - 1);
  add_line(s, "  let first_row = (place.row * {}u + place_in_group / {}u) * {}u;", t.down, t.across, t.rows * t.m);
  add_line(s, "  let first_column = (place.column * {0}u + place_in_group % {0}u) * {1}u;", t.across, t.columns * t.n);
  add_line(s, "  let a_at = place.a + first_row * p.a_row;\n  let b_at = place.b + first_column * p.b_column;");
  add_line(s, "  let a_numbers = p.a_k + place.a / p.a_row;\n  let b_numbers = p.b_k + place.b / p.b_column;");
  add_line(s, "  let staged_at = place_in_group * {}u;", t.m * t.n);
  for (uint32_t i = 0; i < t.rows; ++i)
    for (uint32_t j = 0; j < t.columns; ++j) add_line(s, "  var c{}_{}: subgroup_matrix_result<{}, {}, {}>;", i, j, sum_of(t.form), t.n, t.m);
  write_products(s, t, product_steps(partial));
  write_stores(s, t, element);
  s += "}\n";
}

std::string what_it_does(const Coop& t) {
  return std::format("\n// A subgroup: {} by {} matrices of {} x {}, {} steps of k at a time; a workgroup: {} by {} subgroups.\n", t.rows, t.columns, t.m,
                     t.n, t.k, t.down, t.across);
}

std::string geometry_label(const Coop& t) {
  return std::format("coop{}x{}x{}/{}to{}/{}x{}/{}x{}x{}", t.m, t.n, t.k, part_of(t.form), sum_of(t.form), t.rows, t.columns, t.down, t.across, t.lanes);
}

// What is added to bytes that have to change their sign to be elements of matrices.
int32_t flipped(DType dtype, OperandForm form) { return !flips(dtype, form) ? 0 : form == OperandForm::I8 ? -128 : 128; }

}  // namespace

std::string_view word_of(OperandForm form) { return form == OperandForm::I8 ? "i32" : form == OperandForm::U8 ? "u32" : part_of(form); }

Coop fitted(Coop coop, const Capabilities& caps) {
  while (coop.teams() > 1 && (coop.threads() > caps.max_group_size || coop.memory() > caps.max_group_memory))
    (coop.down > 1 ? coop.down : coop.across) /= 2;
  return coop;
}

Coop vendor_coop(const Coop& matrices, const Capabilities& caps) {
  const auto& blocks = vendor_row(caps).coop;
  Coop coop = matrices;
  coop.rows = blocks.rows, coop.columns = blocks.columns, coop.down = blocks.down, coop.across = blocks.across;
  return fitted(coop, caps);
}

std::string coop_text(const Coop& t, const ProductForm& form) {
  ProgramText head = head_of(t);
  head.alias("elem", to_string(form.dtype)).file("matmul/product").file("matmul/unscaled");
  add_epilogue(head, form.dtype, form.epilogue);
  std::string s = head.str() + what_it_does(t) + product_bindings(form, {{"a", "part"}, {"b", "part"}});
  std::string element;
  add_line(element, "      let sum = unscaled(f32(staged[staged_at + e]), a[a_numbers + row], b[b_numbers + column]);");
  add_line(element, "      {}", product_store(form, "row", "column", product_value(form, "sum", "row", "column")));
  write_main(s, t, element, form.partial);
  return s;
}

std::string coop_label(const Coop& t, const ProductForm& form) {
  return std::format("matmul/{}/{}{}", to_string(form.dtype), geometry_label(t), product_label(form));
}

std::string byte_coop_text(const Coop& t, const ByteForm& form) {
  ProgramText head = head_of(t);
  head.file("_stored").text(stored_type("a_type", form.a)).text(stored_type("b_type", form.b));
  head.text(std::format("const has_a_zero = {};\nconst has_b_zero = {};\nconst a_flipped = {};\nconst b_flipped = {};\n", form.a_zero, form.b_zero,
                        flipped(form.a, t.form), flipped(form.b, t.form)));
  std::string s = head.file("integer_matmul/coop").str() + what_it_does(t);
  std::string element;
  add_line(element, "      c[place.c + row * p.c_row + column] = without_zeros(i32(staged[staged_at + e]), i32(a[a_numbers + row]), i32(b[b_numbers + column]), place, row, column);");
  write_main(s, t, element, /*partial=*/false);
  return s;
}

std::string coop_label(const Coop& t, const ByteForm& form) {
  return std::format("integer_matmul/{}/{}/{}{}{}", to_string(form.a), to_string(form.b), geometry_label(t), form.a_zero ? "/a_zero" : "",
                     form.b_zero ? "/b_zero" : "");
}

std::string operand_text(DType dtype, OperandForm form, uint32_t along) {
  ProgramText text;
  text.constant("along", along).file("matmul/operand_vector");
  if (of_bytes(form)) {
    text.constant("flip", flips(dtype, form) ? 128 : 0);
    text.text(std::format("\nconst is_signed = {};\n", form == OperandForm::I8));
    return text.file("integer_matmul/operand").str();
  }
  text.alias("elem", to_string(dtype)).alias("part", part_of(form));
  text.text(std::format("\nconst most_exponent = {};\n", kMostExponent));
  return text.file("matmul/operand").str();
}

std::string operand_label(DType dtype, OperandForm form, uint32_t along) {
  return std::format("matmul/{}/operand/{}x{}", to_string(dtype), part_of(form), along);
}

}  // namespace dbk::gpu
