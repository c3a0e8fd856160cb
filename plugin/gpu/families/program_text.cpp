#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

ProgramText::ProgramText(uint32_t group_size) { constant("group_size", group_size).file("_grid"); }

ProgramText& ProgramText::enable(std::string_view extension) {
  const std::string line = std::format("enable {};\n", extension);
  if (directives_.find(line) == std::string::npos) directives_ += line;
  return *this;
}

ProgramText& ProgramText::alias(std::string_view name, std::string_view type) {
  if (type.find("f16") != std::string_view::npos) enable("f16");
  declarations_ += std::format("alias {} = {};\n", name, type);
  return *this;
}

ProgramText& ProgramText::constant(std::string_view name, uint32_t value) {
  declarations_ += std::format("const {}: u32 = {}u;\n", name, value);
  return *this;
}

ProgramText& ProgramText::file(std::string_view kernel) {
  (files_ += "\n") += kernel_text(kernel);
  return *this;
}

ProgramText& ProgramText::text(std::string_view generated) {
  files_ += generated;
  return *this;
}

ProgramText& ProgramText::arithmetic(DType dtype) {
  if (dtype == DBK_I64) return alias("elem", "vec2<u32>").alias("acc", "vec2<u32>").file("_number_i64");
  if (dtype == DBK_BOOL) return alias("elem", "u32").alias("acc", "bool").file("_number_bool");
  const bool real = contains(FLOATS, dtype);
  return alias("elem", to_string(dtype)).alias("acc", real ? "f32" : "i32").file(real ? "_number_f32" : "_number_i32");
}

ProgramText& ProgramText::bits(DType dtype) {
  switch (bits_of(dtype)) {
    case 16:
      return alias("elem", "f16");
    case 32:
      return alias("elem", "u32");
    case 64:
      return alias("elem", "vec2<u32>");
    default:
      fail(DBK_INTERNAL, "no kernel moves {} elements", to_string(dtype));
  }
}

}  // namespace dbk::gpu
