#include "plugin/gpu/families/program_text.h"

#include <bit>

namespace dbk::gpu {

ProgramText::ProgramText(uint32_t group_size) { constant("group_size", group_size).file("_grid"); }

ProgramText& ProgramText::enable(std::string_view extension) {
  const std::string line = std::format("enable {};\n", extension);
  if (directives_.find(line) == std::string::npos) directives_ += line;
  return *this;
}

ProgramText& ProgramText::turn_off(std::string_view diagnostic) {
  directives_ += std::format("diagnostic(off, {});\n", diagnostic);
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
  pieces_.push_back({.file = kernel_text(kernel)});
  return *this;
}

ProgramText& ProgramText::text(std::string generated) {
  pieces_.push_back({.generated = std::move(generated)});
  return *this;
}

ProgramText& ProgramText::text(ProgramSource generated) {
  pieces_.push_back({.source = std::move(generated)});
  return *this;
}

std::string ProgramText::str() const {
  std::string s = directives_ + declarations_;
  for (const Piece& piece : pieces_) {
    if (piece.source) s += piece.source->text();
    else if (piece.file.data()) (s += '\n') += piece.file;
    else s += piece.generated;
  }
  return s;
}

namespace {

std::string text_of(const ProgramText& program) { return program.str(); }

}  // namespace

ProgramText::operator ProgramSource() const { return written_by<text_of>(*this); }

namespace {

// How an element that shares a word is read and written: kernels/_read_<kind>.wgsl, _write_<kind>.wgsl.
std::string_view packed_kind(DType dtype) {
  if (dtype == DBK_BOOL) return "bool";
  if (dtype == DBK_BF16) return "bf16";
  return contains(I8 | I16, dtype) ? "signed" : "bits";
}

// What an element, or the word that it shares, is in storage.
std::string_view stored_type(DType dtype) {
  if (packed(dtype)) return "u32";
  return bits_of(dtype) == 64 ? "vec2<u32>" : to_string(dtype);
}

uint32_t log2_per_word(DType dtype) { return static_cast<uint32_t>(std::countr_zero(32 / bits_of(dtype))); }

}  // namespace

std::string_view moved_type(DType dtype) {
  if (dtype == DBK_F16) return "f16";
  switch (bits_of(dtype)) {
    case 64:
      return "vec2<u32>";
    case 128:
      return "vec4<u32>";
    default:
      return "u32";
  }
}

std::string_view number_kind(DType dtype) {
  if (contains(FLOATS, dtype)) return "f32";
  if (dtype == DBK_I64) return "i64";
  if (dtype == DBK_U64) return "u64";
  if (dtype == DBK_BOOL) return "bool";
  return contains(I8 | I16 | I32, dtype) ? "i32" : "u32";
}

std::string_view number_type(DType dtype) { return contains(I64 | U64, dtype) ? "vec2<u32>" : number_kind(dtype); }

std::string moved_name(DType dtype) { return dtype == DBK_F16 ? "f16" : std::to_string(bits_of(dtype)); }

std::string_view bits_file(DType dtype) {
  if (dtype == DBK_F16) return "_bits_f16";
  return bits_of(dtype) == 64 ? "_bits_64" : bits_of(dtype) == 128 ? "_bits_128" : "_bits";
}

ProgramText& ProgramText::arithmetic(DType dtype) {
  alias("elem", stored_type(dtype)).alias("acc", number_type(dtype)).file(std::format("_number_{}", number_kind(dtype)));
  if (contains(I64 | U64, dtype)) file("_pair").file("_wide_product");
  if (contains(I8 | I16 | I32 | U8 | U16 | U32, dtype)) constant("number_bits", bits_of(dtype));
  return *this;
}

ProgramText& ProgramText::reads_packed(DType dtype, std::string_view kind) {
  constant("per_word", log2_per_word(dtype)).constant("width", bits_of(dtype));
  return file("_element_packed").file(std::format("_read_{}", kind));
}

ProgramText& ProgramText::writes_packed(DType dtype, std::string_view kind) {
  alias("stored", "u32").constant("y_per_word", log2_per_word(dtype)).constant("y_width", bits_of(dtype));
  return file("_packed").file(std::format("_write_{}", kind));
}

ProgramText& ProgramText::reads_bits(DType dtype) { return reads_packed(dtype, "bits"); }

ProgramText& ProgramText::reads(DType dtype) { return packed(dtype) ? reads_packed(dtype, packed_kind(dtype)) : file("_element"); }

ProgramText& ProgramText::writes(DType dtype) {
  return packed(dtype) ? writes_packed(dtype, packed_kind(dtype)) : alias("stored", stored_type(dtype)).file("_each");
}

ProgramText& ProgramText::moves(DType dtype) {
  const std::string_view type = moved_type(dtype);
  alias("elem", type).alias("acc", type);
  if (packed(dtype)) return reads_packed(dtype, "bits").writes_packed(dtype, "bits");
  return file("_element").alias("stored", type).file("_each");
}

ProgramText& ProgramText::moves_vectors() {
  return alias("elem", "vec4<u32>").alias("acc", "vec4<u32>").file("_element").alias("stored", "vec4<u32>").file("_each");
}

}  // namespace dbk::gpu
