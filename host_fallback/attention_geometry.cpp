#include "host_fallback/attention_geometry.h"

namespace dbk {

namespace {

// A window of `heads` heads of `size` columns each, from column `first` on.
AttentionOperand window(const char* name, const Shape& shape, int64_t first, int64_t heads, int64_t size, int64_t batch) {
  if (first < 0 || heads > (shape[2] - first) / size)
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} has no columns {} ... {} for {} heads of {}", name, to_string(shape), first,
         first + heads * size - 1, heads, size);
  return {first, shape[0] == batch ? shape[1] * shape[2] : 0, size, shape[2]};
}

int64_t positive(const Attributes& attrs, const char* name) {
  const int64_t value = attrs.integer(name);
  if (value < 1 || value > INT32_MAX) fail(DBK_INVALID_ARGUMENT, "{} is {}", name, value);
  return value;
}

int64_t batch_of(const Shape& q, const Shape& k, const Shape& v, const Shape* mask) {
  Shape batch = broadcast(broadcast({q[0]}, {k[0]}), {v[0]});
  if (mask && mask->rank() == 4) batch = broadcast(batch, {(*mask)[0]});
  return batch[0];
}

}  // namespace

AttentionMask attention_mask(const AttentionGeometry& g, const Shape& mask) {
  const Shape full{g.batch, g.heads, g.queries, g.keys};
  if (mask.rank() > 4 || broadcast(mask, full) != full)
    fail(DBK_INVALID_ARGUMENT, "a mask of shape {} does not broadcast to {}", to_string(mask), to_string(full));
  const Shape strides = broadcast_strides(mask, full);
  return {strides[0], strides[1], strides[2], strides[3]};
}

AttentionGeometry windowed_attention(const Attributes& attrs, const Shape& q, const Shape& k, const Shape& v, const Shape* mask) {
  for (const Shape* shape : {&q, &k, &v})
    if (shape->rank() != 3) fail(DBK_INVALID_ARGUMENT, "q, k and v have 3 axes, not {}", to_string(*shape));
  if (k[1] != v[1]) fail(DBK_INVALID_ARGUMENT, "{} keys but {} values", k[1], v[1]);
  AttentionGeometry g;
  g.heads = positive(attrs, "heads"), g.kv_heads = positive(attrs, "kv_heads");
  g.head_size = positive(attrs, "head_size"), g.v_head_size = positive(attrs, "v_head_size");
  if (g.heads % g.kv_heads != 0) fail(DBK_INVALID_ARGUMENT, "{} heads cannot share {} heads of keys", g.heads, g.kv_heads);
  g.batch = batch_of(q, k, v, mask);
  g.queries = q[1], g.keys = k[1];
  g.q = window("q", q, attrs.integer("q_first"), g.heads, g.head_size, g.batch);
  g.k = window("k", k, attrs.integer("k_first"), g.kv_heads, g.head_size, g.batch);
  g.v = window("v", v, attrs.integer("v_first"), g.kv_heads, g.v_head_size, g.batch);
  const int64_t width = g.heads * g.v_head_size;
  g.y = {0, g.queries * width, g.v_head_size, width};
  if (mask) g.mask = attention_mask(g, *mask);
  g.scale = attrs.real("scale"), g.softcap = attrs.real("softcap");
  g.causal = attrs.integer("causal") != 0, g.causal_offset = g.keys - g.queries;
  g.masked_rows_zero = attrs.integer("masked_rows_zero") != 0;
  return g;
}

}  // namespace dbk
