// QAttention: queries, keys and values from one product of bytes (MatMulIntegerToFloat), then
//   y = sum over keys of softmax(scale * q k + mask) v   for every head,
// keys and values of a cache before those of the input. Scores are computed twice, for their maximum and for their sum,
// so that none are kept.
#include <cmath>

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

int64_t work_bytes(const Compute& c) {
  return c.in(kInput).shape()[0] * c.in(kInput).shape()[1] * c.in(kWeight).shape()[1] *
         static_cast<int64_t>(sizeof(float));
}

// What a key's score gets added: lengths, or ends and beginnings of what counts, or a number for each key, 0 for those
// that do not count.
class Mask {
 public:
  Mask(const Compute& c, const Problem& p)
      : p_(p),
        mask_(c.has(kMask) ? c.in(kMask).as<int32_t>() : nullptr),
        rank_(mask_ ? c.in(kMask).shape().rank() : 0),
        starts_(rank_ == 1 && c.in(kMask).count() == 2 * p.batch),
        filter_(c.attrs().has("mask_filter_value") ? static_cast<float>(c.attrs().real("mask_filter_value"))
                                                   : -10000.0f) {}
  float at(int64_t b, int64_t row, int64_t key) const {
    if (!mask_) return 0;
    if (rank_ == 1) return key < mask_[b] && !(starts_ && key < mask_[p_.batch + b]) ? 0.0f : filter_;
    return mask_[(rank_ == 2 ? b : b * p_.rows + row) * p_.keys() + key] != 0 ? 0.0f : filter_;
  }

 private:
  const Problem& p_;
  const int32_t* mask_;
  uint32_t rank_;
  bool starts_;
  float filter_;
};

// Where row t of the keys (part 1) or values (part 2) of a head is: in the cache or in what the product gave.
struct Rows {
  const Problem& p;
  const float *past, *made;
  const float* at(int64_t part, int64_t b, int64_t head, int64_t t) const {
    if (part > 0 && t < p.past)
      return past + ((((part - 1) * p.batch + b) * p.heads + head) * p.past + t) * p.head_size;
    return made + ((b * p.rows + t - (part > 0 ? p.past : 0)) * 3 + part) * p.hidden() + head * p.head_size;
  }
};

void attend(const Problem& p, const Rows& rows, const Mask& mask, bool causal, float scale, float* out) {
  parallel_ranges(p.batch * p.heads * p.rows, grain_of(4 * p.keys() * p.head_size),
                  [&, causal, scale, out](int64_t begin, int64_t end) {
                    for (int64_t task = begin; task < end; ++task) {
                      const int64_t s = task % p.rows, head = task / p.rows % p.heads, b = task / p.rows / p.heads;
                      const int64_t keys = causal ? p.past + s + 1 : p.keys();
                      const float* q = rows.at(0, b, head, s);
                      const auto score = [&](int64_t t) {
                        const float* k = rows.at(1, b, head, t);
                        float sum = 0;
                        for (int64_t d = 0; d < p.head_size; ++d) sum += q[d] * k[d];
                        return sum * scale + mask.at(b, s, t);
                      };
                      float highest = -std::numeric_limits<float>::infinity(), sum = 0;
                      for (int64_t t = 0; t < keys; ++t) highest = std::max(highest, score(t));
                      float* y = out + (b * p.rows + s) * p.hidden() + head * p.head_size;
                      std::fill_n(y, p.head_size, 0.0f);
                      for (int64_t t = 0; t < keys; ++t) {
                        const float weight = std::exp(score(t) - highest);
                        const float* v = rows.at(2, b, head, t);
                        sum += weight;
                        for (int64_t d = 0; d < p.head_size; ++d) y[d] += weight * v[d];
                      }
                      for (int64_t d = 0; d < p.head_size; ++d) y[d] /= sum;
                    }
                  });
}

void keep_present(const Problem& p, const Rows& rows, float* out) {
  for (int64_t part = 1; part <= 2; ++part)
    for (int64_t b = 0; b < p.batch; ++b)
      for (int64_t head = 0; head < p.heads; ++head)
        for (int64_t t = 0; t < p.keys(); ++t, out += p.head_size)
          std::copy_n(rows.at(part, b, head, t), p.head_size, out);
}

void compute(Compute& c) {
  const auto given = [&](size_t i) { return c.has(i) ? &c.in(i) : nullptr; };
  const Problem p =
      problem_of(c.attrs(), c.in(kInput).shape(), c.in(kWeight).shape(), c.has(kPast) ? &c.in(kPast).shape() : nullptr);
  const MatmulLayout l = matmul_layout(c.in(kInput).shape(), c.in(kWeight).shape());
  Tensor made{{DBK_F32, l.result()}, c.work()};
  scaled_matmul(l, c.in(kInput), c.in(kWeight), single_number(c.in(kInputScale)),
                {&c.in(kWeightScale), l, false, "weight_scale", 1}, {given(kInputZero), l, true, "input_zero_point", 0},
                {given(kWeightZero), l, false, "weight_zero_point", 0}, given(kBias), made);
  const Rows rows{p, c.has(kPast) ? c.in(kPast).as<float>() : nullptr, made.as<float>()};
  const float scale = c.attrs().has("scale") ? static_cast<float>(c.attrs().real("scale")) : 0.0f;
  if (c.wants(1)) keep_present(p, rows, c.out(1).as<float>());
  if (c.out(0).count() > 0)
    attend(p, rows, Mask(c, p), c.attrs().integer("unidirectional") != 0,
           scale != 0 ? scale : 1.0f / std::sqrt(static_cast<float>(p.head_size)), c.out(0).as<float>());
}

}  // namespace

extern constinit const HostOp host_qattention{
    .dtypes = kBytes, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
