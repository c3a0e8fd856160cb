#include "host_fallback/attention_op.h"

#include "host_fallback/attention_rows.h"

namespace dbk {

namespace {

void check_lengths(const AttentionGeometry& g, const Compute& c) {
  if (!c.has(g.roles.lengths)) return;
  for (int64_t b = 0; b < g.batch; ++b)
    if (const int64_t n = integer_at(c.in(g.roles.lengths), b); n < 0 || n > g.keys)
      fail(DBK_OUT_OF_RANGE, "nonpad_kv_seqlen has {} at position {}, which is outside [0, {}]", n, b, g.keys);
}

// Work memory: first the panels, then the operands with their bias.
int64_t panel_bytes(const AttentionGeometry& g, const Compute& c) {
  if (!wants_panels(g)) return 0;
  const bool wide = c.in(g.roles.q).type.dtype == DBK_F64;
  return wide ? AttentionPanels<double>::bytes(g) : AttentionPanels<float>::bytes(g);
}

int64_t biased_bytes(const AttentionGeometry& g, const Compute& c) {
  const AttentionRoles& r = g.roles;
  return c.has(r.bias) ? c.in(r.q).type.bytes() + c.in(r.k).type.bytes() + c.in(r.v).type.bytes() : 0;
}

// x + bias for every row, a bias having as many elements as a row.
template <class T>
T* biased(const Tensor& x, const T* bias, T* to) {
  const int64_t width = x.shape()[2], rows = x.count() / std::max<int64_t>(width, 1);
  const T* from = x.as<T>();
  parallel_ranges(rows, grain_of(width), [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t i = 0; i < width; ++i)
        to[row * width + i] = static_cast<T>(static_cast<Acc<T>>(from[row * width + i]) + static_cast<Acc<T>>(bias[i]));
  });
  return to;
}

template <class T>
void add_bias(const AttentionGeometry& g, const Compute& c, AttentionTensors<T>& t) {
  const AttentionRoles& r = g.roles;
  if (!c.has(r.bias)) return;
  const T* bias = c.in(r.bias).as<T>();
  T* work = reinterpret_cast<T*>(c.work() + panel_bytes(g, c));
  for (auto [operand, i] : {std::pair{&t.q, r.q}, {&t.k, r.k}, {&t.v, r.v}}) {
    *operand = biased(c.in(i), bias, work);
    work += c.in(i).count();
    bias += c.in(i).shape()[2];
  }
}

// Cached rows, then those given: [batch, heads, keys, size], dense.
template <class T>
void append_rows(const AttentionGeometry& g, const T* past, const T* given, const AttentionOperand& at, int64_t size, T* present) {
  parallel_ranges(g.batch * g.kv_heads, grain_of(g.keys * size), [=](int64_t begin, int64_t end) {
    for (int64_t head = begin; head < end; ++head) {
      T* to = present + head * g.keys * size;
      if (past) to = std::copy_n(past + head * g.past * size, g.past * size, to);
      const T* from = given + at.first + head / g.kv_heads * at.batch + head % g.kv_heads * at.head;
      for (int64_t row = 0; row < g.keys - g.past; ++row) to = std::copy_n(from + row * at.row, size, to);
    }
  });
}

template <class T>
AttentionTensors<T> tensors_of(const AttentionGeometry& g, Compute& c) {
  const AttentionRoles& r = g.roles;
  const auto in = [&](size_t i) { return c.has(i) ? c.in(i).as<T>() : nullptr; };
  const auto out = [&](size_t i) { return c.wants(i) ? c.out(i).as<T>() : nullptr; };
  AttentionTensors<T> t{in(r.q), in(r.k), in(r.v), in(r.past_k), in(r.past_v), out(r.y), out(r.scores)};
  if (c.has(r.lengths)) t.lengths = &c.in(r.lengths);
  for (size_t i = 0; i < g.mask_count; ++i) {
    const Tensor& mask = c.in(g.masks[i].input);
    t.mask[i] = mask.data, t.add_mask[i] = mask_adder<Acc<T>>(mask.type.dtype);
  }
  return t;
}

}  // namespace

void infer_attention(std::string_view id, Infer& infer) {
  const AttentionGeometry g = attention_geometry(id, infer.attrs(), OperandTypes(infer));
  const DType dtype = infer.in(g.roles.q).dtype;
  infer.out(g.roles.y, dtype, g.y_shape());
  infer.out(g.roles.present_k, dtype, g.present_k_shape());
  infer.out(g.roles.present_v, dtype, g.present_v_shape());
  infer.out(g.roles.scores, dtype, g.scores_shape());
}

void compute_attention(std::string_view id, Compute& c) {
  const AttentionGeometry g = attention_geometry(id, c.attrs(), OperandTypes(c));
  check_lengths(g, c);
  with_type<FLOATS>(c.in(g.roles.q).type.dtype, [&]<class T>() {
    AttentionTensors<T> t = tensors_of<T>(g, c);
    add_bias(g, c, t);
    const AttentionRoles& r = g.roles;
    const T* past_v = t.past_v ? t.past_v + g.past_v.first : nullptr;
    if (c.wants(r.present_k)) append_rows(g, t.past_k, t.k, g.k, g.head_size, c.out(r.present_k).as<T>());
    if (c.wants(r.present_v)) append_rows(g, past_v, t.v, g.v, g.v_head_size, c.out(r.present_v).as<T>() + g.present_v_first());
    if (wants_panels(g)) t.panels = AttentionPanels<Acc<T>>(g, reinterpret_cast<Acc<T>*>(c.work()));
    if (t.y || t.scores) attention<T>(g, t);
  });
}

int64_t attention_work_bytes(std::string_view id, const Compute& c) {
  const AttentionGeometry g = attention_geometry(id, c.attrs(), OperandTypes(c));
  return panel_bytes(g, c) + biased_bytes(g, c);
}

}  // namespace dbk
