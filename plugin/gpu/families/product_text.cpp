#include "plugin/gpu/families/product_text.h"

namespace dbk::gpu {

std::string product_bindings(const ProductForm& form, std::string_view a, std::string_view b) {
  std::string s;
  uint32_t binding = 0;
  const auto read = [&](std::string_view name, std::string_view type) {
    add_line(s, "@group(0) @binding({}) var<storage, read> {}: array<{}>;", binding++, name, type);
  };
  read("a", a);
  read("b", b);
  if (form.has_d) read("d", "elem");
  for (size_t e = 0; e < form.epilogue.operands.size(); ++e) read(std::format("e{}", e), "elem");
  add_line(s, "@group(0) @binding({}) var<storage, read_write> c: array<elem>;", binding++);
  add_line(s, "@group(0) @binding({}) var<uniform> p: Params;\n", binding);
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

std::string product_label(const ProductForm& form) {
  return std::format("{}{}{}", form.scaled ? "/alpha" : "", form.has_d ? "/beta" : "", epilogue_label(form.epilogue));
}

}  // namespace dbk::gpu
