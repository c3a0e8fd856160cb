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

// sums[r][j] += A[row0 + r, k0 ...] * panel, for Rows rows.
template <int Rows, class T, class Left, class R>
void multiply_rows(const MatrixProduct<T, Left>& p, int64_t row0, int64_t k0, int64_t depth,
                   const R (*panel)[kTileColumns<R>], R (*sums)[kTileColumns<R>]) {
  constexpr int64_t W = kTileColumns<R>;
  R part[Rows][W] = {};
  const Left* a = p.a + row0 * p.a_row + k0 * p.a_col;
  for (int64_t k = 0; k < depth; ++k)
    for (int r = 0; r < Rows; ++r) {
      const R x = static_cast<R>(a[r * p.a_row + k * p.a_col]);
      for (int64_t j = 0; j < W; ++j) part[r][j] += x * panel[k][j];
    }
  for (int r = 0; r < Rows; ++r)
    for (int64_t j = 0; j < W; ++j) sums[r][j] += part[r][j];
}

template <class T, class Left, class R>
void pack_panel(const MatrixProduct<T, Left>& p, int64_t k0, int64_t depth, int64_t column, int64_t width,
                R (*panel)[kTileColumns<R>]) {
  for (int64_t k = 0; k < depth; ++k) {
    const T* row = p.b + (k0 + k) * p.b_row + column * p.b_col;
    for (int64_t j = 0; j < width; ++j) panel[k][j] = static_cast<R>(row[j * p.b_col]);
    for (int64_t j = width; j < kTileColumns<R>; ++j) panel[k][j] = R(0);
  }
}

// Calls store(row, column, sum) for the elements of the tile at (row0, column). B is what pack(k0, depth, column, width,
// panel) makes of it, like pack_panel.
template <class T, class Left, class Pack, class Store>
void multiply_tile(const MatrixProduct<T, Left>& p, int64_t row0, int64_t column, Pack pack, Store store) {
  using R = Ring<T>;
  constexpr int64_t W = kTileColumns<R>;
  const int64_t rows = std::min(kTileRows, p.m - row0), width = std::min(W, p.n - column);
  R sums[kTileRows][W] = {};
  R panel[kBlock][W];
  for (int64_t k0 = 0; k0 < p.k; k0 += kBlock) {
    const int64_t depth = std::min(kBlock, p.k - k0);
    pack(k0, depth, column, width, panel);
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4) multiply_rows<4, T, Left, R>(p, row0 + r, k0, depth, panel, sums + r);
    for (; r < rows; ++r) multiply_rows<1, T, Left, R>(p, row0 + r, k0, depth, panel, sums + r);
  }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t j = 0; j < width; ++j) store(row0 + r, column + j, sums[r][j]);
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
