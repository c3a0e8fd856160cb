// Params of kernels/matmul/product.wgsl and the arguments of its programs.
#pragma once

#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/product.h"

namespace dbk::gpu {

struct ProductBatch {
  uint32_t extent, a, b, pad;
};

struct ProductParams {
  uint32_t m, n, k, tiles;
  uint32_t row_tiles, column_tiles, a_row, a_k;
  uint32_t b_k, b_column, c_row, c_start;
  uint32_t d_row, d_column;
  float alpha, beta;
  uint32_t k_start, zero, second, third;
  uint32_t part_steps, part_tiles, part_size, parts;
  ProductBatch batch[kBatchDims];
};
static_assert(sizeof(ProductParams) == 96 + 16 * kBatchDims);

// For a panel of B and tiles of that many rows and columns.
ProductParams params_of(const Product& product, const Panel& panel, int64_t tile_rows, int64_t tile_columns);

// A, B, D, operands of the epilogue (`finish`: of the last dispatch of a product), C, its parts, or memory for sums over parts of k.
std::vector<Argument> arguments_of(const Product& product, uint32_t panel, bool finish);

// The memory that holds them: part by part, each as C lies, in f32.
Argument sums_of_parts(const Product& product);

// One dispatch per panel of B, a workgroup for each tile.
void launch_tiles(const Product& product, uint32_t program, int64_t tile_rows, int64_t tile_columns, const Capabilities& caps,
                  std::vector<Dispatch>& out);

// What vectors of four need.
inline bool vectors_of_a(const Product& p) { return !p.trans_a && p.k % 4 == 0; }  // along k
inline bool vectors_of_columns(const Product& p) { return p.trans_b && p.k % 4 == 0; }  // of B along k
inline bool vectors_of_rows(const Product& p) {  // of B along n
  return !p.trans_b && p.n % 4 == 0;
}

}  // namespace dbk::gpu
