// Generator of the `line` matmul for CPU adapters without bounds checks: straight-line code over subgroup-uniform vec4
// loads, which software rasterisers turn into plain vector moves where any other access becomes a gather. 8 lanes only;
// they hold sums in f32, also of operands in f16.
#pragma once

#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/product_text.h"

namespace dbk::gpu {

struct Line {
  // How B is stored: as rows; as a weight in blocks of kLineColumns columns; or in such blocks by line_turn_text, which B of any n may be.
  enum class B : uint8_t { Rows, Blocks, Turned };

  uint32_t rows;   // of the tile of one subgroup; its columns are kLineColumns
  uint32_t depth;  // steps of k that a subgroup takes
  uint32_t teams;  // subgroups per workgroup
  B b;
  bool exact;  // rows are multiples of rows * teams, columns of kLineColumns: nothing is masked, and the grid is (row,
               // column, batch)
  // 0: k is cut into dispatches of `depth`, and sums go on in C from one to the next. Else all of k, parts * depth, in one dispatch:
  // so many subgroups of a workgroup share a tile, a part of k each, and their sums meet in workgroup memory. Only with B::Blocks.
  uint32_t parts = 0;
  bool columns_of_a = false;  // A is stored as columns: `rows` and m are multiples of 4

  bool operator==(const Line&) const = default;
};

inline constexpr uint32_t kLineColumns = 16;

// The program of that many rows that takes a k which never changes in one dispatch, parts of at most `most_depth` steps; parts is 0 where there
// is none.
Line whole_line(uint32_t rows, int64_t k, const Capabilities& caps, uint32_t most_depth);

// Alpha, epilogue and several results are for the dispatch that ends the sums. Those of f16 that do not are `partial`: their C holds sums.
std::string line_text(const Line& line, const ProductForm& form);
std::string line_label(const Line& line, const ProductForm& form);

// Whether it reads the sums of dispatches before it, of which C itself holds none, as a binding of their own, the last that is read.
inline bool line_reads_sums(const Line& line, const ProductForm& form) {
  return line.parts == 0 && (form.results > 1 || form.stored() == DBK_F16);
}

// Writes a B that is stored as columns in blocks: a tile is four steps of k by kLineColumns columns, matrices begin where `a` of Place is.
inline constexpr uint32_t kLineTurnSteps = 4, kLineTurnTeams = 16;
std::string line_turn_text(DType dtype);
std::string line_turn_label(DType dtype);

}  // namespace dbk::gpu
