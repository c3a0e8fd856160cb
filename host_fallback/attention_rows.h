// Attention on the host: blocks of query rows meet blocks of keys, so nothing of the size queries x keys exists unless it is asked
// for. The softmax is online: when a later block has a larger score, what was summed so far is scaled down. Both products are those
// of matrix_product.h.
#pragma once

#include <limits>

#include "host_fallback/attention_panels.h"
#include "host_fallback/elementary.h"
#include "host_fallback/lanes.h"
#include "host_fallback/wide_ranges.h"

namespace dbk {

// Adds n elements of a mask to the scores of one query row, puts `filter` where a bool does not keep them, or adds `filter` where an
// integer is 0; `step` lies between its elements. A function of its own, chosen once: what throws for types without code would burden
// the loops.
template <class A>
using MaskAdder = void (*)(const void* mask, int64_t at, int64_t step, A filter, A* scores, int64_t n);

template <class M, class A>
void add_mask(const void* mask, int64_t at, int64_t step, A filter, A* scores, int64_t n) {
  constexpr A kLowest = -std::numeric_limits<A>::infinity();
  const M* m = static_cast<const M*>(mask) + at;
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<M, Bool>) {
      scores[i] = m[i * step] ? scores[i] : filter;
    } else if constexpr (std::is_same_v<M, int32_t>) {
      scores[i] += m[i * step] != 0 ? A(0) : filter;
    } else {
      const A x = static_cast<A>(static_cast<Acc<M>>(m[i * step]));
      scores[i] = x == kLowest ? x : scores[i] + x;  // also beside a score that is infinite or no number
    }
  }
}

template <class A>
MaskAdder<A> mask_adder(DType dtype) {
  MaskAdder<A> adder = nullptr;
  with_type<FLOATS | BOOL | I32>(dtype, [&]<class M>() { adder = add_mask<M, A>; });
  return adder;
}

template <class T>
struct AttentionTensors {
  const T *q, *k, *v, *past_k = nullptr, *past_v = nullptr;
  T* y = nullptr;       // null where nobody wants it
  T* scores = nullptr;   // dense [batch, heads, queries, keys]; null where nobody wants them
  const Tensor* lengths = nullptr;
  std::array<const void*, 2> mask{};
  std::array<MaskAdder<Acc<T>>, 2> add_mask{};
  AttentionPanels<Acc<T>> panels;  // of k and v, where they have been made
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
  int64_t length;  // keys that count
};

// Keys [key, key + n), all of the cache or all of those given.
struct KeyBlock {
  int64_t key, n;
};

template <class T, class A>
void keep_scores(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b, int64_t r, KeyBlock keys,
                 const A* scores) {
  T* to = in.scores + ((b.batch * g.heads + b.head) * g.queries + b.row + r) * g.keys + keys.key;
  for (int64_t j = 0; j < keys.n; ++j) to[j] = static_cast<T>(scores[j]);
}

template <class A>
void cap_scores(const AttentionGeometry& g, A* scores, int64_t n) {
  const A cap = static_cast<A>(g.softcap);
  if (cap == 0) return;
  for (int64_t j = 0; j < n; ++j)
    if (scores[j] != -std::numeric_limits<A>::infinity()) scores[j] = cap * elementary::tanh(scores[j] / cap);
}

template <class T, class A>
void mask_scores(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b, int64_t row, KeyBlock keys, A* scores) {
  int64_t seen = visible_keys(g, row, b.length) - keys.key;
  for (size_t i = 0; i < g.mask_count; ++i) {
    const AttentionMask& m = g.masks[i];
    seen = std::min(seen, m.keys - keys.key);
    const int64_t at = b.batch * m.batch + b.head * m.head + row * m.row + keys.key * m.key;
    in.add_mask[i](in.mask[i], at, m.key, static_cast<A>(g.filter), scores, std::clamp<int64_t>(m.keys - keys.key, 0, keys.n));
  }
  constexpr A kLowest = -std::numeric_limits<A>::infinity();
  for (int64_t j = std::max<int64_t>(seen, 0); j < keys.n; ++j) scores[j] = kLowest;
  const int64_t first = first_visible_key(g, row, b.length) - keys.key;
  for (int64_t j = 0; j < std::min(first, keys.n); ++j) scores[j] = kLowest;
}

template <class T, class A>
void score_keys(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b, KeyBlock keys, AttentionState<A>& state) {
  const T* q = in.q + g.q.first + b.batch * g.q.batch + b.head * g.q.head + b.row * g.q.row;
  const int64_t kv_head = b.head / g.group(), k_row = keys.key < g.past ? g.past_k.row : g.k.row;
  const T* k = key_row(g, in.past_k, g.past_k, in.k, g.k, b.batch, kv_head, keys.key);
  const MatrixProduct<T> product{b.rows, keys.n, g.head_size, q, k, g.q.row, 1, 1, k_row};
  const A scale = static_cast<A>(g.scale);
  const auto store = [&](int64_t r, int64_t j, A sum) { state.scores[r][j] = sum * scale; };
  for (int64_t column = 0; column < keys.n; column += kTileColumns<A>) {
    const auto panel = [&](int64_t k0, auto...) { return in.panels.k(b.batch, kv_head, (keys.key + column) / kTileColumns<A>) + k0; };
    in.panels ? multiply_panels(product, 0, column, panel, store) : multiply_tile(product, 0, column, store);
  }
  for (int64_t r = 0; r < b.rows; ++r) {
    A* scores = state.scores[r];
    const auto keep = [&](ScoreStage stage) {
      if (in.scores && b.column == 0 && g.stage == stage) keep_scores(g, in, b, r, keys, scores);
    };
    keep(ScoreStage::Product);
    if (!g.cap_follows_mask) cap_scores(g, scores, keys.n);
    mask_scores(g, in, b, b.row + r, keys, scores);
    keep(ScoreStage::Masked);
    if (g.cap_follows_mask) cap_scores(g, scores, keys.n);
    keep(ScoreStage::Capped);
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
void add_values(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b, KeyBlock keys, AttentionState<A>& state) {
  const int64_t kv_head = b.head / g.group(), v_row = keys.key < g.past ? g.past_v.row : g.v.row;
  const T* v = key_row(g, in.past_v, g.past_v, in.v, g.v, b.batch, kv_head, keys.key) + b.column;
  const MatrixProduct<T, A> product{b.rows, b.columns, keys.n, state.scores[0], v, kKeyBlock, 1, v_row, 1};
  const auto store = [&](int64_t r, int64_t c, A sum) { state.sums[r][c] += sum; };
  for (int64_t column = 0; column < b.columns; column += kTileColumns<A>) {
    const auto panel = [&](int64_t k0, auto...) { return in.panels.v(b.batch, kv_head, (b.column + column) / kTileColumns<A>) + keys.key + k0; };
    in.panels ? multiply_panels(product, 0, column, panel, store) : multiply_tile(product, 0, column, store);
  }
}

// Calls f for blocks of keys in order; without panels none has keys of the cache and keys given.
template <class T, class F>
void for_key_blocks(const AttentionGeometry& g, const AttentionTensors<T>& in, int64_t keys, F f) {
  for (int64_t key = 0; key < keys;) {
    const int64_t n = std::min(kKeyBlock, (key < g.past && !in.panels ? std::min(keys, g.past) : keys) - key);
    f(KeyBlock{key, n});
    key += n;
  }
}

// The weights themselves, once the largest score and the total are known.
template <class T, class A>
void keep_weights(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b, AttentionState<A>& state) {
  for_key_blocks(g, in, g.keys, [&](KeyBlock keys) {
    score_keys<T, A>(g, in, b, keys, state);
    for (int64_t r = 0; r < b.rows; ++r) {
      A* scores = state.scores[r];
      const A total = state.total[r], top = total == 0 ? A(0) : state.top[r], share = total == 0 ? A(0) : 1 / total;
      for (int64_t j = 0; j < keys.n; ++j) scores[j] = elementary::exp(scores[j] - top) * share;
      keep_scores(g, in, b, r, keys, scores);
    }
  });
}

template <class T>
void attend(const AttentionGeometry& g, const AttentionTensors<T>& in, const AttentionBlock& b) {
  using A = Acc<T>;
  AttentionState<A> state;
  for (int64_t r = 0; r < b.rows; ++r) {
    state.top[r] = g.zero_key ? A(0) : -std::numeric_limits<A>::infinity();
    state.total[r] = g.zero_key ? 1 : 0;
    std::fill_n(state.sums[r], b.columns, A(0));
  }
  const int64_t seen = visible_keys(g, b.row + b.rows - 1, b.length);
  for_key_blocks(g, in, in.scores ? g.keys : seen, [&](KeyBlock keys) {
    score_keys<T, A>(g, in, b, keys, state);
    weigh_keys(b, keys.n, state);
    const int64_t n = std::min(seen - keys.key, keys.n);  // what no row sees may hold anything
    if (n > 0) add_values<T, A>(g, in, b, {keys.key, n}, state);
  });
  if (in.scores && b.column == 0 && g.stage == ScoreStage::Weights) keep_weights<T, A>(g, in, b, state);
  if (!in.y) return;
  const A unseen = g.masked_rows_zero || g.keys == 0 ? A(0) : std::numeric_limits<A>::quiet_NaN();
  for (int64_t r = 0; r < b.rows; ++r) {
    T* y = in.y + g.y.first + b.batch * g.y.batch + b.head * g.y.head + (b.row + r) * g.y.row + b.column;
    const A total = state.total[r];
    for (int64_t c = 0; c < b.columns; ++c) y[c] = static_cast<T>(total == 0 ? unseen : state.sums[r][c] / total);
  }
}

// Whether keys and values are worth panels: several blocks of rows meet them.
inline bool wants_panels(const AttentionGeometry& g) { return g.queries * g.group() > kQueryBlock; }

template <class T>
void attention(const AttentionGeometry& g, const AttentionTensors<T>& in) {
  if (in.panels) pack_all_keys<T>(g, in, in.panels);
  const int64_t down = (g.queries + kQueryBlock - 1) / kQueryBlock;
  const int64_t across = std::max<int64_t>((g.v_head_size + kColumnBlock - 1) / kColumnBlock, 1);  // scores may be all that is wanted
  const int64_t work = std::min(g.queries, kQueryBlock) * std::max<int64_t>(g.keys, 1) * (g.head_size + std::min(g.v_head_size, kColumnBlock));
  parallel_wide_ranges(g.batch * g.heads * down * across, grain_of(work), [g, in, down, across](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t column = task % across * kColumnBlock, row = task / across % down * kQueryBlock, head = task / across / down;
      const int64_t batch = head / g.heads;
      attend<T>(g, in, {batch, head % g.heads, row, std::min(kQueryBlock, g.queries - row), column,
                        std::min(kColumnBlock, g.v_head_size - column), in.lengths ? integer_at(*in.lengths, batch) : g.keys});
    }
  });
}

}  // namespace dbk
