// Builds a program's text by concatenation: directives, aliases and constants in front, then files of kernels/ in any
// order.
#pragma once

#include <string>
#include <string_view>

#include "plugin/gpu/family.h"

namespace dbk::gpu {

inline constexpr uint32_t kGroupSize = 64;  // invocations per workgroup where a family has no reason for another number

// The file with `element_of` for operands of that type, read one by one.
inline std::string_view element_file(DType dtype) { return dtype == DBK_BOOL ? "_element_bool" : "_element"; }

class ProgramText {
 public:
  explicit ProgramText(uint32_t group_size = kGroupSize);

  ProgramText& enable(std::string_view extension);
  ProgramText& alias(std::string_view name, std::string_view type);  // a type that needs f16 enables it
  ProgramText& constant(std::string_view name, uint32_t value);
  ProgramText& file(std::string_view kernel);
  ProgramText& text(std::string_view generated);  // as files are, in the order of the calls

  // `elem` as stored and `acc` as computed, with the accumulator's limits: f32 arithmetic for f16. Of i64 (two words) and bool
  // (four in a word as stored) there are comparisons alone.
  ProgramText& arithmetic(DType dtype);
  // `elem` as bits of its width, for kernels that only move it.
  ProgramText& bits(DType dtype);

  std::string str() const { return directives_ + declarations_ + files_; }

 private:
  std::string directives_, declarations_, files_;
};

}  // namespace dbk::gpu
