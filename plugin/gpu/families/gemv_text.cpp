#include "plugin/gpu/families/gemv_text.h"

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kUnroll = 4;  // loads of B on their way at a time

bool of_operand(const Gemv& g) { return g.operand != OperandForm::None; }
std::string_view part_of(const Gemv& g) { return g.operand == OperandForm::F32 ? "f32" : "f16"; }

void write_steps(std::string& s, const Gemv& g, uint32_t count) {
  for (uint32_t u = 0; u < count; ++u) add_line(s, "    let b{0} = f32(b[b_at + (k + {1}u) * p.b_k]);", u, u * g.along);
  for (uint32_t u = 0; u < count; ++u)
    for (uint32_t i = 0; i < g.rows; ++i)
      add_line(s, "    c{0} = fma(f32(a[a{0}_at + (k + {1}u) * p.a_k]), b{2}, c{0});", i, u * g.along, u);
}

// The same in vectors of four along k.
void write_vector_steps(std::string& s, const Gemv& g, uint32_t count) {
  for (uint32_t u = 0; u < count; ++u) add_line(s, "    let b{0} = vec4<f32>(b[b_at + k + {1}u]) * scale;", u, u * g.along);
  for (uint32_t u = 0; u < count; ++u)
    for (uint32_t i = 0; i < g.rows; ++i) {
      const std::string at = std::format("k + {}u", u * g.along);
      const std::string four = g.a_vectors ? std::format("vec4<f32>(a[a{}_at + {}])", i, at) : std::format("four_of_a(a{}_at, 4u * ({}))", i, at);
      add_line(s, "    c{0} = fma({1}, b{2}, c{0});", i, four, u);
    }
}

// A's elements from step k on where they are no vectors, zeros behind the last.
constexpr std::string_view kElementsOfA = R"(
fn one_of_a(at: u32, k: u32) -> f32 {
  return select(0.0, f32(a[at + min(k, p.k - 1u) * p.a_k]), k < p.k);
}

fn four_of_a(at: u32, k: u32) -> vec4<f32> {
  return vec4<f32>(one_of_a(at, k), one_of_a(at, k + 1u), one_of_a(at, k + 2u), one_of_a(at, k + 3u));
}

)";

// Where a column of the operand begins, in vectors, and half its scale: a column of the largest numbers of f32, rounded to f16, may be more
// than f32 holds. Scaled at once, sums stay as small as they are without scales.
void write_operand_place(std::string& s) {
  add_line(s, "  let b_at = vector * p.b_column;");
  add_line(s, "  let exponent = i32(b[p.b_k + vector / 4u][vector % 4u]);");
  add_line(s, "  let scale = bitcast<f32>(u32(exponent + 126) << 23u);");
}

void write_loop(std::string& s, const Gemv& g, std::string_view end, void (*steps)(std::string&, const Gemv&, uint32_t)) {
  add_line(s, "  for (; k + {}u < {}; k += {}u) {{", (kUnroll - 1) * g.along, end, kUnroll * g.along);
  steps(s, g, kUnroll);
  add_line(s, "  }}\n  for (; k < {}; k += {}u) {{", end, g.along);
  steps(s, g, 1);
  add_line(s, "  }}");
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
  add_line(s, "  var k = {}part;", partial ? "k_first + " : "");
  write_loop(s, g, product_steps(partial).end, write_steps);
  for (uint32_t i = 0; i < g.rows; ++i) add_line(s, "  sums[({}u + column) * {}u + part] = c{};", i * g.across, g.along, i);
}

void write_operand_sums(std::string& s, const Gemv& g, bool partial) {
  add_line(s, "  let column = lane / {0}u;\n  let part = lane % {0}u;", g.along);
  add_line(s, "  let vector = min(place.column * {}u + column, p.n - 1u);", g.across);
  write_operand_place(s);
  for (uint32_t i = 0; i < g.rows; ++i) {
    const std::string at = std::format("place.a + min({}u, p.m - 1u) * p.a_row", i);
    add_line(s, "  let a{}_at = {};", i, g.a_vectors ? std::format("({}) / 4u", at) : at);
    add_line(s, "  var c{} = vec4<f32>();", i);
  }
  const ProductSteps steps = product_steps(partial);
  add_line(s, "  let end = ({} + 3u) / 4u;", steps.end);
  add_line(s, "  var k = {}part;", partial ? "k_first / 4u + " : "");
  write_loop(s, g, "end", write_vector_steps);
  for (uint32_t i = 0; i < g.rows; ++i)
    add_line(s, "  sums[({0}u + column) * {1}u + part] = 2.0 * ((c{2}.x + c{2}.y) + (c{2}.z + c{2}.w));", i * g.across, g.along, i);
}

}  // namespace

std::string gemv_text(const Gemv& g, const ProductForm& form) {
  ProgramText head(g.threads());
  head.alias("elem", to_string(form.dtype));
  if (of_operand(g)) head.alias("stored", part_of(g));
  head.file("matmul/product");
  add_epilogue(head, form.dtype, form.epilogue);
  std::string s = head.str();
  add_line(s, "\n// A workgroup: {} columns of up to {} rows; {} invocations share a sum.", g.across, g.rows, g.along);
  s += product_bindings(form, {{"a", g.a_vectors ? "vec4<elem>" : "elem"}, {"b", of_operand(g) ? "vec4<stored>" : "elem"}});
  add_line(s, "var<workgroup> sums: array<f32, {}>;\n", g.rows * g.threads());
  if (of_operand(g) && !g.a_vectors) s += kElementsOfA.substr(1);
  add_line(s, "@compute @workgroup_size(group_size)");
  add_line(s, "fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,");
  add_line(s, "        @builtin(local_invocation_index) lane: u32) {{");
  s += product_place(form.partial);
  of_operand(g) ? write_operand_sums(s, g, form.partial) : write_sums(s, g, form.partial);
  add_line(s, "  workgroupBarrier();");
  add_line(s, "  for (var i = lane; i < {}u; i += group_size) {{", g.rows * g.across);
  add_line(s, "    let row = i / {0}u;\n    let at = place.column * {0}u + i % {0}u;", g.across);
  add_line(s, "    var sum = 0.0;\n    for (var j = 0u; j < {0}u; j++) {{\n      sum += sums[i * {0}u + j];\n    }}", g.along);
  add_line(s, "    if (row < p.m && at < p.n) {{ {} }}\n  }}", product_store(form, "row", "at", product_value(form, "sum", "row", "at")));
  return s + "}\n";
}

std::string gemv_label(const Gemv& g, const ProductForm& form) {
  std::string b = g.k_first ? "/columns" : "";
  if (of_operand(g)) b = std::format("/packed_{}{}", part_of(g), g.a_vectors ? "" : "/elements");
  return std::format("matmul/{}/gemv{}/{}x{}{}{}", to_string(form.dtype), g.rows, g.across, g.along, b, product_label(form));
}

}  // namespace dbk::gpu
