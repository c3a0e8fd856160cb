// Attention on the host: blocks of query rows meet blocks of keys, so nothing of the size queries x keys exists. The softmax is
// online: when a later block has a larger score, what was summed so far is scaled down. Both products are those of matrix_product.h.
#pragma once

#include <limits>

#include "host_fallback/attention_geometry.h"
#include "host_fallback/elementary.h"
#include "host_fallback/lanes.h"
#include "host_fallback/matrix_product.h"

namespace dbk {

// Adds n elements of a mask to the scores of one query row, or for a bool takes away the keys it does not keep; `step` lies between
// its elements. A function of its own, chosen once: what throws for types without code would burden the loops.
template <class A>
using MaskAdder = void (*)(const void* mask, int64_t at, int64_t step, A* scores, int64_t n);

template <class M, class A>
void add_mask(const void* mask, int64_t at, int64_t step, A* scores, int64_t n) {
  const M* m = static_cast<const M*>(mask) + at;
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<M, Bool>)
      scores[i] = m[i * step] ? scores[i] : -std::numeric_limits<A>::infinity();
    else
      scores[i] += static_cast<A>(static_cast<Acc<M>>(m[i * step]));
  }
}

template <class A>
MaskAdder<A> mask_adder(DType dtype) {
  MaskAdder<A> adder = nullptr;
  with_type<FLOATS | BOOL>(dtype, [&]<class M>() { adder = add_mask<M, A>; });
  return adder;
}

template <class T>
struct AttentionTensors {
  const T *q, *k, *v;
  T* y;
  const void* mask = nullptr;
  MaskAdder<Acc<T>> add_mask = nullptr;
};

inline constexpr int64_t kQueryBlock = 32, kKeyBlock = 128, kColumnBlock = 128;

template <class A>
struct AttentionState {
  A scores[kQueryBlock][kKeyBlock];     // then their exponentials
  A sums[kQueryBlock][kColumnBlock];    // of values, weighted
  A top[kQueryBlock];                   // largest score so far
  A total[kQueryBlock];                 // of exponentials
};

// A block of query rows of one head, against all keys, for at most kColumnBlock columns of the values.
struct AttentionBlock {
  int64_t batch, head, row, rows, column, columns;
};

template <class T, class A>
void score_keys(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b, int64_t key, int64_t n,
                AttentionState<A>& state) {
  const T* q = in.q + g.q.first + b.batch * g.q.batch + b.head * g.q.head + b.row * g.q.row;
  const T* k = in.k + g.k.first + b.batch * g.k.batch + b.head / g.group() * g.k.head + key * g.k.row;
  const MatrixProduct<T> product{b.rows, n, g.head_size, q, k, g.q.row, 1, 1, g.k.row};
  const A scale = static_cast<A>(g.scale), cap = static_cast<A>(g.softcap);
  for (int64_t column = 0; column < n; column += kTileColumns<Ring<T>>)
    multiply_tile(product, 0, column, [&](int64_t r, int64_t j, A sum) { state.scores[r][j] = sum * scale; });
  for (int64_t r = 0; r < b.rows; ++r) {
    A* scores = state.scores[r];
    if (cap != 0)
      for (int64_t j = 0; j < n; ++j) scores[j] = cap * elementary::tanh(scores[j] / cap);
    const int64_t row = b.row + r;
    if (in.mask)
      in.add_mask(in.mask, b.batch * g.mask.batch + b.head * g.mask.head + row * g.mask.row + key * g.mask.key, g.mask.key, scores, n);
    for (int64_t j = std::max<int64_t>(visible_keys(g, row) - key, 0); j < n; ++j) scores[j] = -std::numeric_limits<A>::infinity();
  }
}

// Scores become exponentials; sums of earlier blocks are scaled to the new largest score.
template <class A>
void weigh_keys(const AttentionBlock& b, int64_t n, AttentionState<A>& state) {
  constexpr A kLowest = -std::numeric_limits<A>::infinity();
  for (int64_t r = 0; r < b.rows; ++r) {
    A* scores = state.scores[r];
    const A top = lane_reduce<A>(n, state.top[r], [=](int64_t j) { return scores[j]; }, [](A a, A x) { return x > a ? x : a; });
    const A from = top == kLowest ? A(0) : top;  // no key seen yet: all exponentials are 0
    const A shrink = elementary::exp(state.top[r] - from);
    for (int64_t j = 0; j < n; ++j) scores[j] = elementary::exp(scores[j] - from);
    state.total[r] = state.total[r] * shrink + lane_sum<A>(n, [=](int64_t j) { return scores[j]; });
    state.top[r] = top;
    if (shrink != A(1))
      for (int64_t c = 0; c < b.columns; ++c) state.sums[r][c] *= shrink;
  }
}

template <class T, class A>
void add_values(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b, int64_t key, int64_t n,
                AttentionState<A>& state) {
  const T* v = in.v + g.v.first + b.batch * g.v.batch + b.head / g.group() * g.v.head + key * g.v.row + b.column;
  const MatrixProduct<T, A> product{b.rows, b.columns, n, state.scores[0], v, kKeyBlock, 1, g.v.row, 1};
  for (int64_t column = 0; column < b.columns; column += kTileColumns<Ring<T>>)
    multiply_tile(product, 0, column, [&](int64_t r, int64_t c, A sum) { state.sums[r][c] += sum; });
}

template <class T>
void attend(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b) {
  using A = Acc<T>;
  AttentionState<A> state;
  for (int64_t r = 0; r < b.rows; ++r) {
    state.top[r] = -std::numeric_limits<A>::infinity();
    state.total[r] = 0;
    std::fill_n(state.sums[r], b.columns, A(0));
  }
  const int64_t keys = visible_keys(g, b.row + b.rows - 1);
  for (int64_t key = 0; key < keys; key += kKeyBlock) {
    const int64_t n = std::min(kKeyBlock, keys - key);
    score_keys<T, A>(g, in, b, key, n, state);
    weigh_keys(b, n, state);
    add_values<T, A>(g, in, b, key, n, state);
  }
  const A unseen = g.masked_rows_zero || g.keys == 0 ? A(0) : std::numeric_limits<A>::quiet_NaN();
  for (int64_t r = 0; r < b.rows; ++r) {
    T* y = in.y + g.y.first + b.batch * g.y.batch + b.head * g.y.head + (b.row + r) * g.y.row + b.column;
    const A total = state.total[r];
    for (int64_t c = 0; c < b.columns; ++c) y[c] = static_cast<T>(total == 0 ? unseen : state.sums[r][c] / total);
  }
}

template <class T>
void attention(const AttentionGeometry& g, const AttentionTensors<T>& in) {
  const int64_t down = (g.queries + kQueryBlock - 1) / kQueryBlock, across = (g.v_head_size + kColumnBlock - 1) / kColumnBlock;
  const int64_t work = std::min(g.queries, kQueryBlock) * std::max<int64_t>(g.keys, 1) * (g.head_size + std::min(g.v_head_size, kColumnBlock));
  parallel_ranges(g.batch * g.heads * down * across, grain_of(work), [g, in, down, across](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t column = task % across * kColumnBlock, row = task / across % down * kQueryBlock, head = task / across / down;
      attend<T>(g, in, {head / g.heads, head % g.heads, row, std::min(kQueryBlock, g.queries - row), column,
                        std::min(kColumnBlock, g.v_head_size - column)});
    }
  });
}

}  // namespace dbk
