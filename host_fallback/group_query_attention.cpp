#include "host_fallback/group_query_attention.h"

#include <cmath>

#include "host_fallback/attention_rows.h"

namespace dbk {

namespace {

using enum GroupQuery::Input;

void refuse_unsupported(const Attributes& attrs, const OperandTypes& in) {
  constexpr std::pair<size_t, const char*> kInputs[] = {{kPositions, "position_ids"}, {kSink, "head_sink"}, {kKeyScale, "k_scale"},
                                                        {kValueScale, "v_scale"}, {kQueryNorm, "q_norm_weight"}, {kKeyNorm, "k_norm_weight"}};
  for (const auto& [i, name] : kInputs)
    if (in.has(i)) fail(DBK_UNIMPLEMENTED, "{} is given", name);
  for (const char* name : {"qk_output", "sliding_window_cache"})
    if (attrs.integer(name) != 0) fail(DBK_UNIMPLEMENTED, "{} is {}", name, attrs.integer(name));
  if (attrs.integer("causal") != 1) fail(DBK_UNIMPLEMENTED, "causal is {}", attrs.integer("causal"));
  for (const char* name : {"k_quant_type", "v_quant_type"})
    if (attrs.text(name) != "NONE") fail(DBK_UNIMPLEMENTED, "{} is '{}'", name, attrs.text(name));
  for (size_t i : {kPastKey, kPastValue})
    if (in.has(i) && in.dtype(i) != in.dtype(kQuery)) fail(DBK_UNIMPLEMENTED, "caches of {} for queries of {}", to_string(in.dtype(i)), to_string(in.dtype(kQuery)));
}

int64_t count_of(const Attributes& attrs, const char* name) {
  const int64_t count = attrs.integer(name);
  if (count < 1 || count > INT32_MAX) fail(DBK_INVALID_ARGUMENT, "{} is {}", name, count);
  return count;
}

// Heads side by side: queries, or queries, keys and values in one tensor.
void read_operands(const OperandTypes& in, GroupQuery& a) {
  AttentionGeometry& g = a.g;
  const Shape& q = in.shape(kQuery);
  a.packed = !in.has(kKey);
  const int64_t heads = g.heads + (a.packed ? 2 * g.kv_heads : 0);
  if (q.rank() != 3 || q[2] % heads != 0 || a.packed != !in.has(kValue))
    fail(DBK_INVALID_ARGUMENT, "num_heads is {}: query of shape {} cannot be cut in so many heads", heads, to_string(q));
  g.batch = q[0], g.queries = q[1], g.head_size = g.v_head_size = q[2] / heads;
  a.q = {0, q[1] * q[2], g.head_size, q[2]};
  if (a.packed) {
    a.k = a.v = a.q;
    a.k.first = g.heads * g.head_size, a.v.first = (g.heads + g.kv_heads) * g.head_size;
    return;
  }
  const Shape expected{g.batch, g.queries, g.kv_heads * g.head_size};
  for (size_t i : {kKey, kValue})
    if (in.shape(i) != expected) fail(DBK_INVALID_ARGUMENT, "{} is {}, not {}", i == kKey ? "key" : "value", to_string(in.shape(i)), to_string(expected));
  a.k = a.v = {0, expected[1] * expected[2], g.head_size, expected[2]};
}

void read_caches(const OperandTypes& in, GroupQuery& a) {
  const AttentionGeometry& g = a.g;
  if (in.has(kPastKey) != in.has(kPastValue)) fail(DBK_INVALID_ARGUMENT, "past_key and past_value come together");
  if (in.has(kPastKey)) {
    a.past = in.shape(kPastKey).rank() == 4 ? in.shape(kPastKey)[2] : 0;
    const Shape expected{g.batch, g.kv_heads, a.past, g.head_size};
    for (size_t i : {kPastKey, kPastValue})
      if (in.shape(i) != expected) fail(DBK_INVALID_ARGUMENT, "a past of shape {} is not {}", to_string(in.shape(i)), to_string(expected));
  }
  if (in.shape(kLastKeys).count() != g.batch) fail(DBK_INVALID_ARGUMENT, "seqlens_k is {}, not {}", to_string(in.shape(kLastKeys)), to_string(Shape{g.batch}));
  if (a.total < g.queries || a.total > a.past + g.queries)
    fail(DBK_INVALID_ARGUMENT, "total_sequence_length is {}, with {} new ones behind at most {}", a.total, g.queries, a.past);
}

void read_rotary(const Attributes& attrs, const OperandTypes& in, GroupQuery& a) {
  a.rotary = attrs.integer_or("do_rotary", 0) != 0;
  if (!a.rotary) return;
  if (!in.has(kCosine) || !in.has(kSine)) fail(DBK_INVALID_ARGUMENT, "do_rotary is {}, but there are no caches for it", attrs.integer("do_rotary"));
  const Shape& cosine = in.shape(kCosine);
  if (cosine.rank() != 2 || in.shape(kSine) != cosine || 2 * cosine[1] > a.g.head_size)
    fail(DBK_INVALID_ARGUMENT, "caches of shapes {} and {} do not fit heads of {}", to_string(cosine), to_string(in.shape(kSine)), a.g.head_size);
  a.turn.size = a.g.head_size, a.turn.width = 2 * cosine[1], a.turn.cache_rows = cosine[0];
  a.turn.interleaved = attrs.integer_or("rotary_interleaved", 0) != 0;
}

}  // namespace

GroupQuery group_query(const Attributes& attrs, const OperandTypes& in, int64_t total) {
  refuse_unsupported(attrs, in);
  GroupQuery a;
  AttentionGeometry& g = a.g;
  a.total = total;
  g.heads = count_of(attrs, "num_heads"), g.kv_heads = count_of(attrs, "kv_num_heads");
  check_shared_heads(g);
  read_operands(in, a);
  read_caches(in, a);
  read_rotary(attrs, in, a);
  g.keys = std::max(a.past, total);
  g.q = {0, g.heads * g.queries * g.head_size, g.head_size, g.heads * g.head_size};
  g.k = g.v = by_heads({g.batch, g.kv_heads, g.keys, g.head_size});
  set_result(g, false);
  append_mask(g, in, kBias, true);
  const double scale = attrs.has("scale") ? attrs.real("scale") : 0;
  g.scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(std::max<int64_t>(g.head_size, 1)));
  g.softcap = attrs.has("softcap") ? attrs.real("softcap") : 0;
  g.causal = true, g.ends_meet = !a.prompt(), g.masked_rows_zero = true;
  g.window = std::max<int64_t>(attrs.integer("local_window_size"), 0);
  g.zero_key = attrs.integer("smooth_softmax") > 0;
  return a;
}

namespace {

void infer(Infer& infer) {
  const GroupQuery a = group_query(infer.attrs(), OperandTypes(infer), integer_at(infer.value(kTotal), 0));
  const DType dtype = infer.in(kQuery).dtype;
  infer.out(0, dtype, a.g.y_shape());
  infer.out(1, dtype, a.g.present_k_shape());
  infer.out(2, dtype, a.g.present_v_shape());
}

void check_lengths(const GroupQuery& a, const Compute& c) {
  const int64_t least = a.least_keys(), most = a.total;
  for (int64_t b = 0; b < a.g.batch; ++b) {
    const int64_t keys = integer_at(c.in(kLastKeys), b) + 1;
    if (keys < least || keys > most)
      fail(DBK_OUT_OF_RANGE, "seqlens_k has {} at position {}, which is outside [{}, {}]", keys - 1, b, least - 1, most - 1);
    if (a.rotary && a.past_of(keys) + a.g.queries > a.turn.cache_rows)
      fail(DBK_OUT_OF_RANGE, "seqlens_k has {} at position {}: tokens reach row {} of caches that have {}", keys - 1, b, a.past_of(keys) + a.g.queries - 1, a.turn.cache_rows);
  }
}

// Work memory: queries as they are multiplied, caches that nobody wants, how many keys count in each batch.
struct Work {
  int64_t queries, cache;  // elements
  int64_t bytes(DType dtype) const { return byte_size(dtype, queries + 2 * cache); }
};
Work work_of(const GroupQuery& a) { return {a.g.y_shape().count(), a.g.present_k_shape().count()}; }

int64_t work_bytes(const Compute& c) {
  // Elements are not looked at, so the total is not known; it is never more than past and queries together.
  const int64_t past = c.has(kPastKey) && c.in(kPastKey).shape().rank() == 4 ? c.in(kPastKey).shape()[2] : 0;
  const GroupQuery a = group_query(c.attrs(), OperandTypes(c), past + c.in(kQuery).shape()[1]);
  return work_of(a).bytes(c.in(kQuery).type.dtype) + a.g.batch * 8;
}

// Rows of each batch and head from `at`, turned where the op does so, to rows from the batch's past on of `to`.
template <class T>
void place_rows(const GroupQuery& a, const Compute& c, const T* from, const AttentionOperand& at, int64_t heads, bool turned, T* to,
                const AttentionOperand& to_at, bool behind_past) {
  const AttentionGeometry& g = a.g;
  const T *cosine = turned ? c.in(kCosine).as<T>() : nullptr, *sine = turned ? c.in(kSine).as<T>() : nullptr;
  const Tensor& last = c.in(kLastKeys);
  parallel_ranges(g.batch * heads * g.queries, grain_of(g.head_size), [=, &a, &last](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i % a.g.queries, head = i / a.g.queries % heads, batch = i / a.g.queries / heads;
      const int64_t before = a.past_of(integer_at(last, batch) + 1);
      const T* source = from + at.first + batch * at.batch + head * at.head + row * at.row;
      T* target = to + batch * to_at.batch + head * to_at.head + (row + (behind_past ? before : 0)) * to_at.row;
      const int64_t angle = (before + row) * (a.turn.width / 2);
      if (cosine) turn_head(a.turn, source, cosine + angle, sine + angle, target);
      else std::copy_n(source, a.g.head_size, target);
    }
  });
}

// What counts of the cache given, zeros behind it.
template <class T>
void copy_past(const GroupQuery& a, const Compute& c, size_t past, T* present) {
  const AttentionGeometry& g = a.g;
  const T* from = c.has(past) ? c.in(past).as<T>() : nullptr;
  const Tensor& last = c.in(kLastKeys);
  parallel_ranges(g.batch * g.kv_heads, grain_of(g.keys * g.head_size), [=, &a, &last](int64_t begin, int64_t end) {
    for (int64_t head = begin; head < end; ++head) {
      const int64_t kept = from ? a.past_of(integer_at(last, head / a.g.kv_heads) + 1) * a.g.head_size : 0;
      T* to = present + head * a.g.keys * a.g.head_size;
      if (kept > 0) std::copy_n(from + head * a.past * a.g.head_size, kept, to);
      std::fill(to + kept, to + a.g.keys * a.g.head_size, T{});
    }
  });
}

template <class T>
void run(const GroupQuery& a, Compute& c) {
  const AttentionGeometry& g = a.g;
  const Work work = work_of(a);
  auto* lengths = reinterpret_cast<int64_t*>(c.work());
  T* memory = reinterpret_cast<T*>(c.work() + g.batch * 8);
  T *q = memory, *k = c.wants(1) ? c.out(1).as<T>() : q + work.queries, *v = c.wants(2) ? c.out(2).as<T>() : q + work.queries + work.cache;
  for (int64_t b = 0; b < g.batch; ++b) lengths[b] = integer_at(c.in(kLastKeys), b) + 1;
  place_rows(a, c, c.in(kQuery).as<T>(), a.q, g.heads, a.rotary, q, g.q, false);
  copy_past(a, c, kPastKey, k);
  copy_past(a, c, kPastValue, v);
  place_rows(a, c, c.in(a.packed ? kQuery : kKey).as<T>(), a.k, g.kv_heads, a.rotary, k, g.k, true);
  place_rows(a, c, c.in(a.packed ? kQuery : kValue).as<T>(), a.v, g.kv_heads, false, v, g.v, true);
  if (!c.wants(0)) return;
  const Tensor counts{{DBK_I64, {g.batch}}, lengths};
  AttentionTensors<T> t{q, k, v};
  t.y = c.out(0).as<T>(), t.lengths = &counts;
  if (c.has(kBias)) t.mask[0] = c.in(kBias).data, t.add_mask[0] = mask_adder<Acc<T>>(c.in(kBias).type.dtype);
  attention<T>(g, t);
}

void compute(Compute& c) {
  const GroupQuery a = group_query(c.attrs(), OperandTypes(c), integer_at(c.in(kTotal), 0));
  check_lengths(a, c);
  with_type<FLOATS>(c.in(kQuery).type.dtype, [&]<class T>() { run<T>(a, c); });
}

}  // namespace

extern constinit const HostOp host_group_query_attention{
    .dtypes = FLOATS, .shape_inputs = 1u << kTotal, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
