// Builds a program's text by concatenation: directives, aliases and constants in front, then files of kernels/ in any
// order. What it consists of is noted, and written only when somebody wants the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plugin/gpu/family.h"

namespace dbk::gpu {

inline constexpr uint32_t kGroupSize = 64;  // invocations per workgroup where a family has no reason for another number

// Whether WGSL has vectors of the elements, so that kernels take four at once.
inline bool has_vectors(DType dtype) { return contains(F32 | F16 | I32, dtype); }
// Whether elements share words: they are smaller than one and have no WGSL type.
inline bool packed(DType dtype) { return bits_of(dtype) < 32 && dtype != DBK_F16; }

// The accumulator of a type, by the name that files of kernels/ end in: f32, i32, u32, i64, u64 or bool.
std::string_view number_kind(DType dtype);
std::string_view number_type(DType dtype);  // its WGSL type: 64-bit integers are vec2<u32>

// The WGSL type that holds the bits of an element, or those of the word that it shares.
std::string_view moved_type(DType dtype);
std::string moved_name(DType dtype);  // for labels: elements of one name have one text
// The file with `constant`: an element that is moved, from the words of its bits.
std::string_view bits_file(DType dtype);

class ProgramText {
 public:
  explicit ProgramText(uint32_t group_size = kGroupSize);

  ProgramText& enable(std::string_view extension);
  ProgramText& turn_off(std::string_view diagnostic);
  ProgramText& alias(std::string_view name, std::string_view type);  // a type that needs f16 enables it
  ProgramText& constant(std::string_view name, uint32_t value);
  ProgramText& file(std::string_view kernel);
  ProgramText& text(std::string generated);  // as files are, in the order of the calls
  ProgramText& text(ProgramSource generated);  // the same for what is long

  // `elem` as stored and `acc` as computed, with the accumulator's functions: f32 arithmetic for f16 and bf16, 32 bits for small
  // integers, pairs of words for 64-bit ones; of bools there are comparisons alone.
  ProgramText& arithmetic(DType dtype);

  // Frames of one element, whatever its type. A frame gives `value(i)`, element i of the result, and reads operands of type `elem`
  // as element_of(x[at >> per_word], at).
  ProgramText& reads(DType dtype);   // `element_of`, after `arithmetic`
  ProgramText& writes(DType dtype);  // `stored`, the type of y's words, and the entry point, which wants p.count
  // All of that for elements that are only moved: `acc` is bits of their width.
  ProgramText& moves(DType dtype);
  ProgramText& moves_vectors();  // the same for units of 16 bytes
  ProgramText& reads_bits(DType dtype);  // `element_of` of elements that share words, as bits

  std::string str() const;
  operator ProgramSource() const;
  bool operator==(const ProgramText&) const = default;

 private:
  ProgramText& reads_packed(DType dtype, std::string_view kind);
  ProgramText& writes_packed(DType dtype, std::string_view kind);

  struct Piece {  // one of these
    std::string_view file;  // of kernels/, where it is embedded
    std::string generated;
    std::optional<ProgramSource> source;
    bool operator==(const Piece& other) const {
      return file.data() == other.file.data() && file.size() == other.file.size() && generated == other.generated && source == other.source;
    }
  };

  std::string directives_, declarations_;
  std::vector<Piece> pieces_;
};

}  // namespace dbk::gpu
