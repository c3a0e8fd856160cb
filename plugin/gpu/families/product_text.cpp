#include "plugin/gpu/families/product_text.h"

namespace dbk::gpu {

namespace {

std::string_view result_name(const ProductForm& form) { return form.partial ? "f32" : element_name(form.stored(), form.dtype); }

}  // namespace

std::string product_bindings(const ProductForm& form, std::initializer_list<ProductOperand> operands) {
  std::string s;
  uint32_t binding = 0;
  const auto read = [&](std::string_view name, std::string_view type) {
    add_line(s, "@group(0) @binding({}) var<storage, read> {}: array<{}>;", binding++, name, type);
  };
  for (const ProductOperand& operand : operands) read(operand.name, operand.type);
  if (form.has_d) read("d", "elem");
  for (size_t e = 0; e < form.epilogue.operands.size(); ++e) read(std::format("e{}", e), element_name(form.epilogue.operands[e].dtype, form.dtype));
  if (form.results > 1) s += part_bindings(form.results, binding, result_name(form), 1);
  else add_line(s, "@group(0) @binding({}) var<storage, read_write> c: array<{}>;", binding, result_name(form));
  binding += form.results;
  add_line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", binding);
  return s;
}

std::string product_place(bool partial) {
  std::string s;
  add_line(s, "  let tile = flat_group(group, groups);\n  if (tile >= p.tiles) {{\n    return;\n  }}");
  if (!partial) {
    add_line(s, "  let place = place_of(tile);");
    return s;
  }
  add_line(s, "  let k_part = tile / p.part_tiles;\n  let place = place_of(tile - k_part * p.part_tiles);");
  add_line(s, "  let k_first = k_part * p.part_steps;\n  let k_end = min(k_first + p.part_steps, p.k);");
  return s;
}

std::string product_value(const ProductForm& form, std::string sum, std::string_view row, std::string_view column) {
  if (form.scaled) sum = std::format("p.alpha * {}", sum);
  if (form.has_d) sum = std::format("fma(p.beta, f32(d[({}) * p.d_row + (p.c_start + {}) * p.d_column]), {})", row, column, sum);
  if (!form.epilogue) return sum;
  std::string arguments = sum;
  for (size_t e = 0; e < form.epilogue.operands.size(); ++e) {
    std::string at = "0u";
    if (form.epilogue.operands[e].place == EpilogueOperand::Place::Whole) at = std::format("place.c + ({}) * p.c_row + {}", row, column);
    if (form.epilogue.operands[e].place == EpilogueOperand::Place::Column) at = std::format("p.c_start + {}", column);
    arguments += std::format(", f32(e{}[{}])", e, at);
  }
  return std::format("value({})", arguments);
}

std::string product_store(const ProductForm& form, std::string_view row, std::string_view column, std::string_view value) {
  if (form.partial) return std::format("c[k_part * p.part_size + place.c + ({}) * p.c_row + {}] = {};", row, column, value);
  if (form.results > 1) return std::format("store(place.top + ({}), p.c_start + {}, {}({}));", row, column, result_name(form), value);
  return std::format("c[place.c + ({}) * p.c_row + {}] = {}({});", row, column, result_name(form), value);
}

std::string part_bindings(uint32_t results, uint32_t binding, std::string_view type, uint32_t width) {
  constexpr std::string_view kFirst[] = {"0u", "p.second", "p.third", "p.c_row"};
  std::string s;
  for (uint32_t i = 0; i < results; ++i) add_line(s, "@group(0) @binding({}) var<storage, read_write> c{}: array<{}>;", binding + i, i, type);
  add_line(s, "\nfn store(row: u32, column: u32, v: {}) {{", type);
  for (uint32_t i = 0; i < results; ++i) {
    const std::string_view first = kFirst[i], end = i + 1 < results ? kFirst[i + 1] : "p.c_row";
    const std::string at = std::format("row * ({1} - {0}) + column - {0}", first, end);
    const std::string index = width == 1 ? at : std::format("({}) / {}u", at, width);
    if (i + 1 < results) add_line(s, "  if (column < {}) {{\n    c{}[{}] = v;\n    return;\n  }}", end, i, index);
    else add_line(s, "  c{}[{}] = v;\n}}\n", i, index);
  }
  return s;
}

std::string product_label(const ProductForm& form) {
  const std::string results = form.results > 1 ? std::format("/split{}", form.results) : "";
  return std::format("{}{}{}{}{}", form.partial ? "/partial" : "", form.scaled ? "/alpha" : "", form.has_d ? "/beta" : "", epilogue_label(form.epilogue), results);
}

}  // namespace dbk::gpu
