// QAttention: queries, keys and values from one product of bytes (MatMulIntegerToFloat), then
//   y = sum over keys of softmax(scale * q k + mask) v   for every head,
// keys and values of a cache before those of the input.
#include <cmath>

#include "host_fallback/attention_rows.h"
#include "host_fallback/requantize.h"
#include "host_fallback/scaled_matmul.h"

namespace dbk {

namespace {

enum Input : size_t { kInput, kWeight, kBias, kInputScale, kWeightScale, kMask, kInputZero, kWeightZero, kPast };

struct Problem {
  int64_t batch, rows, heads, head_size, past;
  int64_t hidden() const { return heads * head_size; }
  int64_t keys() const { return past + rows; }
};

// `past` is null without a cache.
Problem problem_of(const Attributes& attrs, const Shape& input, const Shape& weight, const Shape* past) {
  if (input.rank() != 3 || weight.rank() != 2)
    fail(DBK_INVALID_ARGUMENT, "an input of shape {} with weights of shape {}", to_string(input), to_string(weight));
  const int64_t heads = attrs.integer("num_heads");
  if (heads < 1 || weight[1] % (3 * heads) != 0)
    fail(DBK_INVALID_ARGUMENT, "num_heads is {} for weights of shape {}", heads, to_string(weight));
  Problem p{input[0], input[1], heads, weight[1] / 3 / heads, 0};
  if (!past) return p;
  if (past->rank() == 5) p.past = (*past)[3];
  if (*past != Shape{2, p.batch, p.heads, p.past, p.head_size})
    fail(DBK_INVALID_ARGUMENT, "past of shape {} for {} batches of {} heads of {}", to_string(*past), p.batch, p.heads,
         p.head_size);
  return p;
}

void refuse_attributes(const Attributes& attrs) {
  for (const char* name : {"do_rotary", "past_present_share_buffer"})
    if (attrs.integer_or(name, 0) != 0)
      fail(DBK_UNIMPLEMENTED, "{} is {}, which is not implemented", name, attrs.integer(name));
}

void infer(Infer& infer) {
  refuse_attributes(infer.attrs());
  if (infer.in(kBias).dtype != DBK_F32)
    fail(DBK_UNIMPLEMENTED, "a bias of {} is not implemented", to_string(infer.in(kBias).dtype));
  const Problem p = problem_of(infer.attrs(), infer.shape(kInput), infer.shape(kWeight),
                               infer.has(kPast) ? &infer.shape(kPast) : nullptr);
  const MatmulLayout l = matmul_layout(infer.shape(kInput), infer.shape(kWeight));
  require_bias_of_columns(infer, kBias, l);
  require_single(infer, kInputScale, "input_scale");
  places_of(infer.shape(kWeightScale), l, false, "weight_scale");
  if (infer.has(kInputZero)) require_single(infer, kInputZero, "input_zero_point");
  if (infer.has(kWeightZero)) places_of(infer.shape(kWeightZero), l, false, "weight_zero_point");
  if (infer.has(kMask)) {
    const Shape& mask = infer.shape(kMask);
    if (mask != Shape{p.batch} && mask != Shape{2 * p.batch} && mask != Shape{p.batch, p.keys()} &&
        mask != Shape{p.batch, p.rows, p.keys()})
      fail(DBK_INVALID_ARGUMENT, "mask_index of shape {} for {} batches of {} rows and {} keys", to_string(mask),
           p.batch, p.rows, p.keys());
  }
  infer.out(0, DBK_F32, {p.batch, p.rows, p.hidden()});
  infer.out(1, DBK_F32, {2, p.batch, p.heads, p.keys(), p.head_size});
}

bool lists_lengths(const Compute& c) { return c.has(kMask) && c.in(kMask).shape().rank() == 1; }

// Work memory: what the product gives, then the mask that lengths stand for.
int64_t product_bytes(const Compute& c) {
  return c.in(kInput).shape()[0] * c.in(kInput).shape()[1] * c.in(kWeight).shape()[1] * static_cast<int64_t>(sizeof(float));
}

Problem problem_of(const Compute& c) {
  return problem_of(c.attrs(), c.in(kInput).shape(), c.in(kWeight).shape(), c.has(kPast) ? &c.in(kPast).shape() : nullptr);
}

int64_t work_bytes(const Compute& c) {
  const Problem p = problem_of(c);
  return product_bytes(c) + (lists_lengths(c) ? p.batch * p.keys() * static_cast<int64_t>(sizeof(int32_t)) : 0);
}

// A number for each key, 0 for those that do not count: the mask given, or what ends (and beginnings) of what counts say.
const int32_t* mask_of(const Compute& c, const Problem& p) {
  if (!c.has(kMask)) return nullptr;
  const auto* given = c.in(kMask).as<int32_t>();
  if (!lists_lengths(c)) return given;
  const bool starts = c.in(kMask).count() == 2 * p.batch;
  auto* mask = reinterpret_cast<int32_t*>(c.work() + product_bytes(c));
  for (int64_t b = 0; b < p.batch; ++b)
    for (int64_t key = 0; key < p.keys(); ++key) mask[b * p.keys() + key] = key < given[b] && !(starts && key < given[p.batch + b]);
  return mask;
}

// Queries, keys and values side by side in the rows of the product.
AttentionGeometry geometry_of(const Compute& c, const Problem& p) {
  AttentionGeometry g;
  g.batch = p.batch, g.heads = g.kv_heads = p.heads, g.queries = p.rows, g.head_size = g.v_head_size = p.head_size;
  g.past = p.past, g.keys = p.keys();
  g.q = g.k = g.v = {0, p.rows * 3 * p.hidden(), p.head_size, 3 * p.hidden()};
  g.k.first = p.hidden(), g.v.first = 2 * p.hidden();
  g.past_k = g.past_v = by_heads({p.batch, p.heads, p.past, p.head_size});
  g.past_v.first = p.batch * p.hidden() * p.past;
  set_result(g, false);
  if (c.has(kMask)) {
    const bool rows = c.in(kMask).shape().rank() == 3;
    g.masks[g.mask_count++] = {kMask, (rows ? p.rows : 1) * g.keys, 0, rows ? g.keys : 0, 1, g.keys};
  }
  const double scale = c.attrs().has("scale") ? c.attrs().real("scale") : 0;
  g.scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(p.head_size));
  g.filter = c.attrs().has("mask_filter_value") ? c.attrs().real("mask_filter_value") : -10000;
  g.causal = c.attrs().integer("unidirectional") != 0, g.causal_offset = p.past;
  return g;
}

void keep_present(const AttentionGeometry& g, const AttentionTensors<float>& t, float* out) {
  const auto keep = [&](const float* past, const AttentionOperand& past_at, const AttentionOperand& at) {
    for (int64_t b = 0; b < g.batch; ++b)
      for (int64_t head = 0; head < g.heads; ++head)
        for (int64_t key = 0; key < g.keys; ++key)
          out = std::copy_n(key_row(g, past, past_at, t.k, at, b, head, key), g.head_size, out);
  };
  keep(t.past_k, g.past_k, g.k);
  keep(t.past_v, g.past_v, g.v);
}

void compute(Compute& c) {
  const auto given = [&](size_t i) { return c.has(i) ? &c.in(i) : nullptr; };
  const MatmulLayout l = matmul_layout(c.in(kInput).shape(), c.in(kWeight).shape());
  Tensor made{{DBK_F32, l.result()}, c.work()};
  scaled_matmul(l, c.in(kInput), c.in(kWeight), single_number(c.in(kInputScale)),
                {&c.in(kWeightScale), l, false, "weight_scale", 1}, {given(kInputZero), l, true, "input_zero_point", 0},
                {given(kWeightZero), l, false, "weight_zero_point", 0}, given(kBias), made);
  const Problem p = problem_of(c);
  const AttentionGeometry g = geometry_of(c, p);
  const float *rows = made.as<float>(), *past = c.has(kPast) ? c.in(kPast).as<float>() : nullptr;
  AttentionTensors<float> t{rows, rows, rows, past, past};
  t.y = c.out(0).as<float>();
  t.mask[0] = mask_of(c, p), t.add_mask[0] = mask_adder<float>(DBK_I32);
  if (c.wants(1)) keep_present(g, t, c.out(1).as<float>());
  if (c.out(0).count() > 0) attention<float>(g, t);
}

}  // namespace

extern constinit const HostOp host_qattention{
    .dtypes = kBytes, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
