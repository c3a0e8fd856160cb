#include "host_fallback/attention_geometry.h"

#include <cmath>

#include "host_fallback/microsoft_attention.h"

namespace dbk {

namespace {

constexpr size_t kQ = 0, kK = 1, kV = 2, kMask = 3;

int64_t positive(const Attributes& attrs, const char* name) {
  if (!attrs.has(name)) fail(DBK_INVALID_ARGUMENT, "{} is missing", name);
  const int64_t value = attrs.integer(name);
  if (value < 1 || value > INT32_MAX) fail(DBK_INVALID_ARGUMENT, "{} is {}", name, value);
  return value;
}

bool broadcasts(const Shape& from, const Shape& to) {
  if (from.rank() > to.rank()) return false;
  for (uint32_t d = 0; d < from.rank(); ++d)
    if (from[d] != 1 && from[d] != to[d + to.rank() - from.rank()]) return false;
  return true;
}

// ---- ai.daybreak.Attention ----

// `heads` heads of `size` columns each: a window of the last axis of [batch, rows, columns], from column `first` on, or an axis of their
// own in [batch, heads, rows, size].
AttentionOperand window(const char* name, const Shape& shape, int64_t first, int64_t heads, int64_t size, int64_t batch) {
  if (shape.rank() == 4) {
    if (first != 0 || shape[1] != heads || shape[3] != size)
      fail(DBK_INVALID_ARGUMENT, "{} of shape {} has no {} heads of {} columns from {} on", name, to_string(shape), heads, size, first);
    AttentionOperand operand = by_heads(shape);
    if (shape[0] != batch) operand.batch = 0;
    return operand;
  }
  if (first < 0 || heads > (shape[2] - first) / size)
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} has no columns {} ... {} for {} heads of {}", name, to_string(shape), first,
         first + heads * size - 1, heads, size);
  return {first, shape[0] == batch ? shape[1] * shape[2] : 0, size, shape[2]};
}

int64_t rows_of(const Shape& shape) { return shape[shape.rank() - 2]; }

int64_t broadcast_batch(const OperandTypes& in) {
  Shape batch = broadcast(broadcast({in.shape(kQ)[0]}, {in.shape(kK)[0]}), {in.shape(kV)[0]});
  if (in.has(kMask) && in.shape(kMask).rank() == 4) batch = broadcast(batch, {in.shape(kMask)[0]});
  return batch[0];
}

// ---- ONNX's Attention ----

enum Onnx : size_t { kPastKey = 4, kPastValue = 5, kLengths = 6 };

// Heads of an operand, and the columns of one: [batch, heads, rows, columns], or [batch, rows, heads * columns].
struct Heads {
  int64_t count, rows, size;
  AttentionOperand at;
};

Heads heads_of(const char* name, const Shape& shape, const Attributes& attrs, const char* heads) {
  if (shape.rank() == 4) {
    if (attrs.has(heads) && attrs.integer(heads) != shape[1])
      fail(DBK_INVALID_ARGUMENT, "{} is {}, but {} of shape {} has {} heads", heads, attrs.integer(heads), name, to_string(shape), shape[1]);
    return {shape[1], shape[2], shape[3], by_heads(shape)};
  }
  const int64_t count = positive(attrs, heads);
  if (shape[2] % count != 0)
    fail(DBK_INVALID_ARGUMENT, "{} is {}: {} of shape {} cannot be cut in so many heads", heads, count, name, to_string(shape));
  return {count, shape[1], shape[2] / count, {0, shape[1] * shape[2], shape[2] / count, shape[2]}};
}

void check_onnx_operands(const OperandTypes& in) {
  const Shape &q = in.shape(kQ), &k = in.shape(kK), &v = in.shape(kV);
  if ((q.rank() != 3 && q.rank() != 4) || k.rank() != q.rank() || v.rank() != q.rank())
    fail(DBK_INVALID_ARGUMENT, "Q, K and V have 3 axes or 4, not shapes {}, {} and {}", to_string(q), to_string(k), to_string(v));
  if (k[0] != q[0] || v[0] != q[0])
    fail(DBK_INVALID_ARGUMENT, "Q, K and V of shapes {}, {} and {} differ in their batches", to_string(q), to_string(k), to_string(v));
  for (size_t i : {kK, kV})
    if (in.dtype(i) != in.dtype(kQ))
      fail(DBK_UNIMPLEMENTED, "queries of {} with keys or values of {}", to_string(in.dtype(kQ)), to_string(in.dtype(i)));
  if (in.has(kMask) && in.dtype(kMask) != DBK_BOOL && in.dtype(kMask) != in.dtype(kQ))
    fail(DBK_INVALID_ARGUMENT, "attn_mask is {}, neither bool nor {} as the queries are", to_string(in.dtype(kMask)), to_string(in.dtype(kQ)));
  if (in.has(kPastKey) && in.has(kLengths)) fail(DBK_INVALID_ARGUMENT, "nonpad_kv_seqlen and past_key exclude each other");
}

void check_onnx_attributes(const Attributes& attrs) {
  if (const int64_t mode = attrs.integer("qk_matmul_output_mode"); mode < 0 || mode > 3)
    fail(DBK_INVALID_ARGUMENT, "qk_matmul_output_mode is {}, not 0, 1, 2 or 3", mode);
  // Scores are never narrower than f32, nor than the operands: the precision asked for is a least one.
  if (attrs.has("softmax_precision") && !contains(FLOATS, dtype_of_onnx(attrs.integer("softmax_precision"))))
    fail(DBK_INVALID_ARGUMENT, "softmax_precision is {}, which is no float type", attrs.integer("softmax_precision"));
}

AttentionGeometry windowed_attention(const Attributes& attrs, const OperandTypes& in) {
  const Shape &q = in.shape(kQ), &k = in.shape(kK), &v = in.shape(kV);
  for (const Shape* shape : {&q, &k, &v})
    if (shape->rank() != 3 && shape->rank() != 4) fail(DBK_INVALID_ARGUMENT, "q, k and v have 3 axes or 4, not {}", to_string(*shape));
  if (rows_of(k) != rows_of(v)) fail(DBK_INVALID_ARGUMENT, "{} keys but {} values", rows_of(k), rows_of(v));
  AttentionGeometry g;
  g.heads = positive(attrs, "heads"), g.kv_heads = positive(attrs, "kv_heads");
  g.head_size = positive(attrs, "head_size"), g.v_head_size = positive(attrs, "v_head_size");
  check_shared_heads(g);
  g.batch = broadcast_batch(in);
  g.queries = rows_of(q), g.keys = rows_of(k);
  g.q = window("q", q, attrs.integer("q_first"), g.heads, g.head_size, g.batch);
  g.k = window("k", k, attrs.integer("k_first"), g.kv_heads, g.head_size, g.batch);
  g.v = window("v", v, attrs.integer("v_first"), g.kv_heads, g.v_head_size, g.batch);
  set_result(g, false);
  append_mask(g, in, kMask, false);
  g.scale = attrs.real("scale"), g.softcap = attrs.real("softcap");
  g.causal = attrs.integer("causal") != 0, g.causal_offset = g.keys - g.queries;
  g.masked_rows_zero = attrs.integer("masked_rows_zero") != 0;
  if (attrs.has("masked_score")) g.filter = attrs.real("masked_score");
  return g;
}

AttentionGeometry onnx_attention(const Attributes& attrs, const OperandTypes& in) {
  check_onnx_operands(in);
  check_onnx_attributes(attrs);
  const Heads q = heads_of("Q", in.shape(kQ), attrs, "q_num_heads"), k = heads_of("K", in.shape(kK), attrs, "kv_num_heads"),
              v = heads_of("V", in.shape(kV), attrs, "kv_num_heads");
  if (k.rows != v.rows || k.count != v.count || k.size != q.size || k.count == 0)
    fail(DBK_INVALID_ARGUMENT, "Q, K and V of shapes {}, {} and {} do not fit together", to_string(in.shape(kQ)),
         to_string(in.shape(kK)), to_string(in.shape(kV)));
  AttentionGeometry g;
  g.roles = {.past_k = kPastKey, .past_v = kPastValue, .lengths = kLengths, .present_k = 1, .present_v = 2, .scores = 3};
  g.batch = in.shape(kQ)[0], g.queries = q.rows, g.keys = k.rows;
  g.heads = q.count, g.kv_heads = k.count, g.head_size = q.size, g.v_head_size = v.size;
  check_shared_heads(g);
  g.q = q.at, g.k = k.at, g.v = v.at;
  set_result(g, in.shape(kQ).rank() == 4);
  add_cache(g, in, kPastKey, kPastValue);
  if (in.has(kLengths) && in.shape(kLengths) != Shape{g.batch})
    fail(DBK_INVALID_ARGUMENT, "nonpad_kv_seqlen is {}, not {}", to_string(in.shape(kLengths)), to_string(Shape{g.batch}));
  append_mask(g, in, kMask, true);
  g.scale = attrs.has("scale") ? attrs.real("scale") : 1 / std::sqrt(static_cast<double>(std::max<int64_t>(g.head_size, 1)));
  g.softcap = attrs.real("softcap"), g.cap_follows_mask = true;
  g.causal = attrs.integer("is_causal") != 0, g.causal_offset = g.past, g.ends_meet = in.has(kLengths);
  g.masked_rows_zero = true;
  g.stage = static_cast<ScoreStage>(attrs.integer("qk_matmul_output_mode"));
  return g;
}

}  // namespace

void check_shared_heads(const AttentionGeometry& g) {
  if (g.heads % g.kv_heads != 0) fail(DBK_INVALID_ARGUMENT, "num_heads is {} and kv_num_heads {}: heads cannot share heads of keys", g.heads, g.kv_heads);
}

void set_result(AttentionGeometry& g, bool heads_first) {
  const int64_t width = g.heads * g.v_head_size;
  g.heads_first = heads_first;
  g.y = {0, g.queries * width, heads_first ? g.queries * g.v_head_size : g.v_head_size, heads_first ? g.v_head_size : width};
}

void append_mask(AttentionGeometry& g, const OperandTypes& in, size_t input, bool may_end) {
  if (!in.has(input)) return;
  const Shape& mask = in.shape(input);
  Shape full = g.scores_shape();
  const int64_t last = mask.rank() > 0 ? mask[mask.rank() - 1] : 1;
  if (may_end && last != 1 && last < g.keys) full[3] = last;
  if (!broadcasts(mask, full))
    fail(DBK_INVALID_ARGUMENT, "a mask of shape {} does not broadcast to {}", to_string(mask), to_string(g.scores_shape()));
  const Shape strides = broadcast_strides(mask, full);
  g.masks[g.mask_count++] = {input, strides[0], strides[1], strides[2], strides[3], full[3]};
}

AttentionOperand by_heads(const Shape& shape) { return {0, shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3]}; }

void add_cache(AttentionGeometry& g, const OperandTypes& in, size_t past_k, size_t past_v) {
  if (in.has(past_k) != in.has(past_v)) fail(DBK_INVALID_ARGUMENT, "past_key and past_value come together");
  if (!in.has(past_k)) return;
  const Shape &k = in.shape(past_k), &v = in.shape(past_v);
  const int64_t rows = k.rank() == 4 ? k[2] : 0;
  if (k != Shape{g.batch, g.kv_heads, rows, g.head_size} || v != Shape{g.batch, g.kv_heads, rows, g.v_head_size})
    fail(DBK_INVALID_ARGUMENT, "past_key {} and past_value {} are not [{}, {}, past, {} and {}]", to_string(k), to_string(v), g.batch,
         g.kv_heads, g.head_size, g.v_head_size);
  g.past = rows, g.keys += rows;
  g.past_k = by_heads(k), g.past_v = by_heads(v);
}

namespace {

AttentionGeometry geometry_of(std::string_view id, const Attributes& attrs, const OperandTypes& in) {
  if (id == "daybreak_attention") return windowed_attention(attrs, in);
  if (id == "attention") return onnx_attention(attrs, in);
  if (id == "multi_head_attention") return multi_head_attention(attrs, in);
  if (id == "packed_attention") return packed_attention(attrs, in);
  fail(DBK_INTERNAL, "{} is no attention", id);
}

}  // namespace

AttentionGeometry attention_geometry(std::string_view id, const Attributes& attrs, const OperandTypes& in) {
  if (!attrs.has(kAttentionWindows)) return geometry_of(id, attrs, in);
  const std::vector<int64_t>& windows = attrs.integers(kAttentionWindows);
  std::array<TensorType, OperandTypes::kMost> types;
  for (size_t i = 0; i < types.size(); ++i)
    if (in.has(i)) types[i] = {in.dtype(i), in.shape(i)};
  for (size_t i : {kQ, kK, kV}) types[i].shape[2] = windows[2 * i + 1];
  AttentionGeometry g = geometry_of(id, attrs, OperandTypes(std::span<const TensorType>(types)));
  for (auto [operand, i] : {std::pair{&g.q, kQ}, {&g.k, kK}, {&g.v, kV}}) {
    const Shape& whole = in.shape(i);
    operand->first = windows[2 * i], operand->batch = whole[1] * whole[2], operand->row = whole[2];
  }
  return g;
}

}  // namespace dbk
