// Products of bytes with zero points, on one thread's tile: sum over k of (a - row zero) (b - column zero) in 32 bits,
// which wrap. The sum is formed of the a as they are; what the zeros of rows add is the sum of a column, made while the
// tile's columns are packed.
#pragma once

#include "host_fallback/matrix_product.h"

namespace dbk {

using ByteSum = uint32_t;  // Ring of bytes
inline constexpr int64_t kByteColumns = kTileColumns<ByteSum>;
using BytePanel = ByteSum (*)[kByteColumns];

// pack(k0, depth, column, width, panel) gives columns less their zeros; zero(row) is that of a row; store(row, column,
// sum as int32_t).
template <class T, class Left, class Pack, class Zero, class Store>
void multiply_byte_tile(const MatrixProduct<T, Left>& p, int64_t row0, int64_t column, Pack pack, Zero zero,
                        Store store) {
  ByteSum sums[kByteColumns] = {};
  const auto pack_and_add = [&pack, &sums](int64_t k0, int64_t depth, int64_t first, int64_t width, BytePanel panel) {
    pack(k0, depth, first, width, panel);
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < kByteColumns; ++j) sums[j] += panel[k][j];
  };
  multiply_tile(p, row0, column, pack_and_add, [&sums, &zero, &store, column](int64_t i, int64_t j, ByteSum sum) {
    store(i, j, static_cast<int32_t>(sum - static_cast<ByteSum>(zero(i)) * sums[j - column]));
  });
}

}  // namespace dbk
