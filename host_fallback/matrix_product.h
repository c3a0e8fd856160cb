// C = A * B on one thread's tile, shared by MatMul, Gemm, Conv and attention. A tile is kTileRows x (one vector of columns); B's columns
// are packed on the stack in the compute type, so its strides and 16-bit floats cost nothing in the inner loop. Sums
// are formed per block of kBlock products and then added, which keeps float results close to those of a pairwise sum.
// Not a rival of oneDNN.
#pragma once

#include "host_fallback/parallel.h"
#include "host_fallback/ring.h"

namespace dbk {

template <class T, class Left = T>  // of A's elements where they are not those of B: the compute type
struct MatrixProduct {
  int64_t m, n, k;
  const Left* a;
  const T* b;
  int64_t a_row, a_col, b_row, b_col;  // element strides
};

inline constexpr int64_t kTileRows = 64, kBlock = 256;
template <class R>
inline constexpr int64_t kTileColumns = 64 / sizeof(R);

// Half a row of a panel, wherever it lies: as arrays of elements the sums would not stay in registers.
template <class R>
using HalfRow [[gnu::vector_size(32), gnu::aligned(alignof(R)), gnu::may_alias]] = R;

// sums[r][j] += A[row0 + r, k0 ...] * panel, for Rows rows.
template <int Rows, class T, class Left, class R>
void multiply_rows(const MatrixProduct<T, Left>& p, int64_t row0, int64_t k0, int64_t depth,
                   const R (*panel)[kTileColumns<R>], R (*sums)[kTileColumns<R>]) {
  constexpr int kHalves = 2;
  HalfRow<R> part[Rows][kHalves] = {};
  const Left* a = p.a + row0 * p.a_row + k0 * p.a_col;
  for (int64_t k = 0; k < depth; ++k) {
    const auto* b = reinterpret_cast<const HalfRow<R>*>(panel[k]);
    for (int r = 0; r < Rows; ++r) {
      const R x = static_cast<R>(a[r * p.a_row + k * p.a_col]);
      for (int h = 0; h < kHalves; ++h) part[r][h] += x * b[h];
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int h = 0; h < kHalves; ++h) reinterpret_cast<HalfRow<R>*>(sums[r])[h] += part[r][h];
}

// A panel's rows where they lie side by side, else its columns one after the other: what is read is a run wherever B has runs.
template <class T, class Left, class R>
void pack_panel(const MatrixProduct<T, Left>& p, int64_t k0, int64_t depth, int64_t column, int64_t width,
                R (*panel)[kTileColumns<R>]) {
  constexpr int64_t W = kTileColumns<R>;
  const T* b = p.b + k0 * p.b_row + column * p.b_col;
  if (width == W && p.b_col == 1) {  // of a length that the compiler knows: no call of memcpy
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < W; ++j) panel[k][j] = static_cast<R>(b[k * p.b_row + j]);
    return;
  }
  for (int64_t j = 0; j < W; ++j)
    for (int64_t k = 0; k < depth; ++k) panel[k][j] = j < width ? static_cast<R>(b[k * p.b_row + j * p.b_col]) : R(0);
}

// sums += A[row0 ..., k0 ...] * panel, for `rows` rows in groups whose sums fit into registers.
template <class T, class Left, class R>
void multiply_panel(const MatrixProduct<T, Left>& p, int64_t row0, int64_t rows, int64_t k0, int64_t depth, const R (*panel)[kTileColumns<R>],
                    R (*sums)[kTileColumns<R>]) {
  int64_t r = 0;
  for (; r + 6 <= rows; r += 6) multiply_rows<6, T, Left, R>(p, row0 + r, k0, depth, panel, sums + r);
  for (; r + 2 <= rows; r += 2) multiply_rows<2, T, Left, R>(p, row0 + r, k0, depth, panel, sums + r);
  if (r < rows) multiply_rows<1, T, Left, R>(p, row0 + r, k0, depth, panel, sums + r);
}

// Calls store(row, column, sum) for the elements of the tile at (row0, column). `panels(k0, depth, column, width)` gives the panel
// of B for these rows and columns.
template <class T, class Left, class Panels, class Store>
void multiply_panels(const MatrixProduct<T, Left>& p, int64_t row0, int64_t column, Panels panels, Store store) {
  using R = Ring<T>;
  constexpr int64_t W = kTileColumns<R>;
  const int64_t rows = std::min(kTileRows, p.m - row0), width = std::min(W, p.n - column);
  alignas(64) R sums[kTileRows][W];
  std::fill_n(sums[0], rows * W, R(0));
  for (int64_t k0 = 0; k0 < p.k; k0 += kBlock) {
    const int64_t depth = std::min(kBlock, p.k - k0);
    multiply_panel<T, Left, R>(p, row0, rows, k0, depth, panels(k0, depth, column, width), sums);
  }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t j = 0; j < width; ++j) store(row0 + r, column + j, sums[r][j]);
}

// The same where panels are made one by one: B is what pack(k0, depth, column, width, panel) makes of it, like pack_panel.
template <class T, class Left, class Pack, class Store>
void multiply_tile(const MatrixProduct<T, Left>& p, int64_t row0, int64_t column, Pack pack, Store store) {
  using R = Ring<T>;
  alignas(64) R panel[kBlock][kTileColumns<R>];
  const auto packed = [&](int64_t k0, int64_t depth, int64_t first, int64_t width) {
    pack(k0, depth, first, width, panel);
    return static_cast<const R (*)[kTileColumns<R>]>(panel);
  };
  multiply_panels(p, row0, column, packed, store);
}

// The same with B as it lies.
template <class T, class Left, class Store>
void multiply_tile(const MatrixProduct<T, Left>& p, int64_t row0, int64_t column, Store store) {
  const auto pack = [&p](int64_t k0, int64_t depth, int64_t first, int64_t wide, auto* panel) {
    pack_panel(p, k0, depth, first, wide, panel);
  };
  multiply_tile(p, row0, column, pack, store);
}

// A few rows against a B with dense rows: B is read once, in long stretches, so nothing is packed.
inline constexpr int64_t kFewRows = 4, kStretch = 512;
template <class T, class Store>
void multiply_stretch(const MatrixProduct<T>& p, int64_t row, int64_t column, Store store) {
  using R = Ring<T>;
  const int64_t width = std::min(kStretch, p.n - column);
  R sums[kStretch] = {};
  for (int64_t k = 0; k < p.k; ++k) {
    const R x = static_cast<R>(p.a[row * p.a_row + k * p.a_col]);
    const T* b = p.b + k * p.b_row + column;
    for (int64_t j = 0; j < width; ++j) sums[j] += x * static_cast<R>(b[j]);
  }
  for (int64_t j = 0; j < width; ++j) store(row, column + j, sums[j]);
}

// A product cut into tasks of equal shape.
template <class T>
struct Tiling {
  bool stretch;
  int64_t height, width, across, count;
  explicit Tiling(const MatrixProduct<T>& p)
      : stretch(p.m < kFewRows && p.b_col == 1),
        height(stretch ? 1 : kTileRows),
        width(stretch ? kStretch : kTileColumns<Ring<T>>),
        across((p.n + width - 1) / width),
        count((p.m + height - 1) / height * across) {}
  int64_t grain(const MatrixProduct<T>& p) const { return grain_of(std::min(p.m, height) * width * p.k); }
  template <class Store>
  void run(const MatrixProduct<T>& p, int64_t task, Store store) const {
    const int64_t row = task / across * height, column = task % across * width;
    stretch ? multiply_stretch(p, row, column, store) : multiply_tile(p, row, column, store);
  }
};

}  // namespace dbk
