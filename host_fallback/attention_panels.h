// Keys and values of every head in the order in which matrix_product.h reads them. Made once where several blocks of query rows meet them:
// heads that lie side by side are far apart from row to row, and to fetch them costs more than to multiply.
#pragma once

#include "host_fallback/attention_geometry.h"
#include "host_fallback/matrix_product.h"

namespace dbk {

// Where row `key` of the keys or values of a kv head lies: in the cache, or behind it among those given.
template <class T>
const T* key_row(const AttentionGeometry& g, const T* past, const AttentionOperand& past_at, const T* given, const AttentionOperand& at,
                 int64_t batch, int64_t kv_head, int64_t key) {
  const bool cached = key < g.past;
  const AttentionOperand& o = cached ? past_at : at;
  return (cached ? past : given) + o.first + batch * o.batch + kv_head * o.head + (cached ? key : key - g.past) * o.row;
}

template <class A>
class AttentionPanels {
 public:
  static constexpr int64_t W = kTileColumns<A>;
  using Row = A[W];

  AttentionPanels() = default;
  AttentionPanels(const AttentionGeometry& g, A* memory)
      : key_tiles_((g.keys + W - 1) / W), column_tiles_((g.v_head_size + W - 1) / W), depth_(g.head_size), keys_(g.keys), kv_heads_(g.kv_heads),
        k_(reinterpret_cast<Row*>(memory)), v_(k_ + g.batch * g.kv_heads * key_tiles_ * depth_) {}

  static int64_t bytes(const AttentionGeometry& g) {
    const AttentionPanels p(g, nullptr);
    return g.batch * g.kv_heads * (p.key_tiles_ * p.depth_ + p.column_tiles_ * p.keys_) * static_cast<int64_t>(sizeof(Row));
  }

  explicit operator bool() const { return k_ != nullptr; }
  int64_t key_tiles() const { return key_tiles_; }
  // W keys from tile * W on: row d has element d of each.
  Row* k(int64_t batch, int64_t kv_head, int64_t tile) const { return k_ + ((batch * kv_heads_ + kv_head) * key_tiles_ + tile) * depth_; }
  // W columns from tile * W on: row `key` has those of its value.
  Row* v(int64_t batch, int64_t kv_head, int64_t tile) const { return v_ + ((batch * kv_heads_ + kv_head) * column_tiles_ + tile) * keys_; }

 private:
  int64_t key_tiles_ = 0, column_tiles_ = 0, depth_ = 0, keys_ = 0, kv_heads_ = 0;
  Row *k_ = nullptr, *v_ = nullptr;
};

// One tile of keys with their values.
template <class T, class Tensors>
void pack_keys(const AttentionGeometry& g, const Tensors& in, const AttentionPanels<Acc<T>>& panels, int64_t batch, int64_t kv_head, int64_t tile) {
  using A = Acc<T>;
  constexpr int64_t W = AttentionPanels<A>::W;
  auto* keys = panels.k(batch, kv_head, tile);
  for (int64_t j = 0; j < W; ++j) {
    const int64_t key = tile * W + j;
    const bool there = key < g.keys;  // not what its address tells: heads without columns may lie nowhere
    const T* k = there ? key_row(g, in.past_k, g.past_k, in.k, g.k, batch, kv_head, key) : nullptr;
    for (int64_t d = 0; d < g.head_size; ++d) keys[d][j] = there ? static_cast<A>(k[d]) : A(0);
    if (!there) continue;
    const T* v = key_row(g, in.past_v, g.past_v, in.v, g.v, batch, kv_head, key);
    for (int64_t c = 0; c < g.v_head_size; c += W) {
      A* to = panels.v(batch, kv_head, c / W)[key];
      if (g.v_head_size - c >= W)
        for (int64_t i = 0; i < W; ++i) to[i] = static_cast<A>(v[c + i]);
      else
        for (int64_t i = 0; i < W; ++i) to[i] = c + i < g.v_head_size ? static_cast<A>(v[c + i]) : A(0);
    }
  }
}

template <class T, class Tensors>
void pack_all_keys(const AttentionGeometry& g, const Tensors& in, const AttentionPanels<Acc<T>>& panels) {
  const int64_t tiles = panels.key_tiles();
  parallel_ranges(g.batch * g.kv_heads * tiles, grain_of(panels.W * (g.head_size + g.v_head_size)), [g, in, panels, tiles](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t head = task / tiles;
      pack_keys<T>(g, in, panels, head / g.kv_heads, head % g.kv_heads, task % tiles);
    }
  });
}

}  // namespace dbk
