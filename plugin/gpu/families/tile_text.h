// Generator of the `tile` matmul for GPUs: a workgroup copies tiles of A and B to its memory, as f32, and each invocation keeps a few rows
// and columns of C in registers. What lies outside the matrices is zero in the tiles and not stored.
#pragma once

#include "plugin/gpu/families/product_text.h"

namespace dbk::gpu {

struct Tile {
  uint32_t rows, columns, depth;            // of a workgroup: of A and C, of B and C, of k at a time; multiples of four
  uint32_t thread_rows, thread_columns;     // of an invocation; columns are multiples of four
  bool vectors_of_a = false;                // A is read four elements along k at a time
  bool vectors_of_b = false;                // B four columns at a time

  bool operator==(const Tile&) const = default;
  uint32_t threads() const { return rows / thread_rows * (columns / thread_columns); }
  uint32_t memory() const { return (rows + columns) * depth * 4; }  // bytes
};

std::string tile_text(const Tile& tile, const ProductForm& form);
std::string tile_label(const Tile& tile, const ProductForm& form);

}  // namespace dbk::gpu
