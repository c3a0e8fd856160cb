#include "host_fallback/normalization.h"

#include <cmath>

#include "host_fallback/lanes.h"
#include "host_fallback/moments.h"
#include "host_fallback/number_block.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

void refuse_unless_broadcastable(const Infer& infer, size_t i, const char* name) {
  if (!infer.has(i)) return;
  const Shape &from = infer.shape(i), &to = infer.shape(0);
  if (from.rank() > to.rank() || broadcast(from, to) != to)
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} does not broadcast to {}", name, to_string(from), to_string(to));
}

void refuse_other_types(const Normalization& op, const Infer& infer) {
  for (const size_t i : {op.scale, op.bias, op.skip, op.shift}) {
    const bool mixed = infer.has(i) && infer.in(i).dtype != infer.in(0).dtype;
    if (mixed && !(op.scale_decides && i == op.scale))
      fail(DBK_UNIMPLEMENTED, "input {} is {}, but input 0 is {}", i, to_string(infer.in(i).dtype), to_string(infer.in(0).dtype));
  }
}

// Rows of x's last axis, or of all its last axes, over and over: nothing between.
void refuse_unless_repeated(const Infer& infer, size_t i, const char* name) {
  if (!infer.has(i)) return;
  refuse_unless_broadcastable(infer, i, name);
  const Shape &from = infer.shape(i), &to = infer.shape(0);
  uint32_t lead = 0;
  while (lead < from.rank() && from[lead] == 1) ++lead;
  if (from.rank() == 0 || from[from.rank() - 1] != to[to.rank() - 1] ||
      !std::equal(from.begin() + lead, from.end(), to.end() - (from.rank() - lead), to.end()))
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} is not the last axes of {}", name, to_string(from), to_string(to));
}

DType statistics_dtype(const Infer& infer) {
  if (!infer.attrs().has("stash_type")) return infer.in(0).dtype == DBK_F64 ? DBK_F64 : DBK_F32;
  const int64_t stash = infer.attrs().integer("stash_type");
  const DType dtype = dtype_of_onnx(stash);
  if (!contains(FLOATS, dtype)) fail(DBK_INVALID_ARGUMENT, "stash_type is {}, which is no float type", stash);
  return dtype;
}

void store(Compute& c, size_t output, int64_t i, double value) {
  if (!c.wants(output)) return;
  Tensor& tensor = c.out(output);
  switch (tensor.type.dtype) {
    case DBK_F32:
      tensor.as<float>()[i] = static_cast<float>(value);
      break;
    case DBK_F64:
      tensor.as<double>()[i] = value;
      break;
    case DBK_F16:
      tensor.as<Half>()[i] = Half::from_double(value);
      break;
    case DBK_BF16:
      tensor.as<BFloat16>()[i] = BFloat16(static_cast<float>(value));
      break;
  }
}

// `count` <= kStage elements in the compute type: where they lie, or widened into `block`.
template <class T>
const Acc<T>* computable(const T* in, int64_t step, Acc<T>* block, int64_t count) {
  if constexpr (!is_staged<T>)
    if (step == 1) return in;
  widen(in, step, block, count);
  return block;
}

// A row of x, or of the sum that stands for it.
template <class T>
struct Row {
  const T *x, *skip, *shift;  // the last two may be null; shift repeats every `width`
  int64_t width;

  const Acc<T>* fetch(int64_t first, Acc<T>* block, int64_t count) const {
    if (!skip && !shift) return computable(x + first, 1, block, count);
    widen(x + first, 1, block, count);
    if (skip)
      for (int64_t i = 0; i < count; ++i) block[i] += static_cast<Acc<T>>(skip[first + i]);
    if (shift)
      for (int64_t i = 0; i < count; ++i) block[i] += static_cast<Acc<T>>(shift[(first + i) % width]);
    return block;
  }
};

template <class T>
Moments moments_of(const Row<T>& row, int64_t n, bool centred, double epsilon) {
  using A = Acc<T>;
  A block[kStage];
  const auto total = [&](auto term) {
    double sum = 0;
    for (int64_t first = 0; first < n; first += kStage) {
      const int64_t count = std::min(kStage, n - first);
      const A* v = row.fetch(first, block, count);
      sum += lane_sum<double>(count, [v, term](int64_t i) { return term(static_cast<double>(v[i])); });
    }
    return sum / static_cast<double>(n);
  };
  const double mean = centred ? total([](double v) { return v; }) : 0;
  return {mean, 1.0 / std::sqrt(total([mean](double v) { return (v - mean) * (v - mean); }) + epsilon)};
}

template <class T>
struct Affine {  // steps are 1 or 0 unless an operand broadcasts in an unusual way; without a bias it is a zero of step 0
  const T* scale;
  int64_t scale_step;
  const T* bias;
  int64_t bias_step;
};

// Elements [first, first + n) of a row.
template <class T>
void normalize_run(const Row<T>& row, int64_t first, int64_t n, Moments moments, Affine<T> affine, T* y) {
  using A = Acc<T>;
  const A mean = static_cast<A>(moments.mean), rest = static_cast<A>(moments.mean - static_cast<double>(mean));
  const A inverse = static_cast<A>(moments.inverse);
  A x_block[kStage], s_block[kStage], b_block[kStage];
  for (int64_t at = 0; at < n; at += kStage) {
    const int64_t count = std::min(kStage, n - at);
    const A* v = row.fetch(first + at, x_block, count);
    const A* s = computable(affine.scale + at * affine.scale_step, affine.scale_step, s_block, count);
    const A* b = computable(affine.bias + at * affine.bias_step, affine.bias_step, b_block, count);
    fill_block(y + at, count, [=](int64_t i) { return (v[i] - mean - rest) * inverse * s[i] + b[i]; });
  }
}

template <class T>
void keep_sum(const Row<T>& row, int64_t n, T* sum) {
  Acc<T> block[kStage];
  for (int64_t first = 0; first < n; first += kStage) {
    const int64_t count = std::min(kStage, n - first);
    const Acc<T>* v = row.fetch(first, block, count);
    fill_block(sum + first, count, [v](int64_t i) { return v[i]; });
  }
}

template <class T>
void normalize_rows(const Normalization& op, Compute& c, int64_t rows, int64_t n) {
  const Shape& shape = c.in(0).shape();
  const auto data = [&](size_t i) { return c.has(i) ? c.in(i).template as<T>() : nullptr; };
  const auto strides = [&](size_t i) {
    return c.has(i) ? broadcast_strides(c.in(i).shape(), shape) : Shape::filled(shape.rank(), 0);
  };
  const StridedLoop<2> loop(shape, {strides(op.scale), strides(op.bias)});
  static constexpr T kZero{};
  const T *x = data(0), *scale = data(op.scale), *skip = data(op.skip), *shift = data(op.shift);
  const T* bias = c.has(op.bias) ? data(op.bias) : &kZero;
  const int64_t skip_rows = skip && n > 0 ? c.in(op.skip).count() / n : 1, width = shift ? c.in(op.shift).count() : 1;
  T* y = c.wants(0) ? c.out(0).template as<T>() : nullptr;
  T* sum = c.wants(op.sum) ? c.out(op.sum).template as<T>() : nullptr;
  const double epsilon = c.attrs().real("epsilon");
  parallel_ranges(rows, grain_of(n), [&, x, scale, bias, skip, shift, y, sum, n, epsilon](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const Row<T> row{x + r * n, skip ? skip + r % skip_rows * n : nullptr, shift, width};
      const Moments moments = moments_of(row, n, op.centred, epsilon);
      if (y) for_runs(loop, r * n, (r + 1) * n, [&](int64_t first, const Offsets<2>& at, int64_t length) {
        normalize_run<T>(row, first - r * n, length, moments, {scale + at[0], loop.step(0), bias + at[1], loop.step(1)}, y + first);
      });
      if (sum) keep_sum(row, n, sum + r * n);
      store(c, op.mean, r, moments.mean);
      store(c, op.inverse, r, moments.inverse);
    }
  });
}

// A scale of another type than x, which is that of the result: one element after the other, in double.
template <class T>
void normalize_mixed_rows(const Normalization& op, Compute& c, int64_t rows, int64_t n) {
  const StridedLoop<1> loop(c.in(0).shape(), {broadcast_strides(c.in(op.scale).shape(), c.in(0).shape())});
  const T* x = c.in(0).as<T>();
  for (int64_t r = 0; r < rows; ++r) {
    const Moments moments = moments_of(Row<T>{x + r * n, nullptr, nullptr, 1}, n, op.centred, c.attrs().real("epsilon"));
    for_runs(loop, r * n, (r + 1) * n, [&](int64_t first, const Offsets<1>& at, int64_t length) {
      for (int64_t i = 0; i < length; ++i) {
        double value = 0;
        read_block(c.in(op.scale), at[0] + i * loop.step(0), 1, &value);
        value *= (static_cast<double>(static_cast<Acc<T>>(x[first + i])) - moments.mean) * moments.inverse;
        write_block(c.out(0), first + i, 1, &value);
      }
    });
    store(c, op.inverse, r, moments.inverse);
  }
}

}  // namespace

uint32_t normalized_axis(const Attributes& attrs, const Shape& x) {
  return normalize_axis(attrs.integer_or("axis", -1), x.rank());
}

Normalization normalization_of(std::string_view id) {
  constexpr size_t kNone = Normalization::kAbsent;
  if (id == "layer_normalization") return {true, 1, 2, kNone, kNone, 1, 2};
  if (id == "rms_normalization") return {false, 1, kNone, kNone, kNone, kNone, kNone, kNone, true};
  if (id == "simplified_layer_normalization") return {false, 1, kNone, kNone, kNone, kNone, 1, kNone, true};
  if (id == "skip_layer_normalization") return {true, 2, 3, 1, 4, 1, 2, 3};
  if (id == "skip_simplified_layer_normalization") return {false, 2, kNone, 1, 3, 1, 2, 3};
  fail(DBK_INTERNAL, "{} is no normalisation", id);
}

void infer_normalization(const Normalization& op, Infer& infer) {
  const Shape& shape = infer.shape(0);
  const uint32_t axis = normalized_axis(infer.attrs(), shape);
  const DType statistics = statistics_dtype(infer);
  refuse_other_types(op, infer);
  refuse_unless_broadcastable(infer, op.scale, "the scale");
  refuse_unless_broadcastable(infer, op.bias, "the bias");
  refuse_unless_repeated(infer, op.skip, "skip");
  refuse_unless_repeated(infer, op.shift, "the bias of the input");
  Shape rows = shape;
  for (uint32_t d = axis; d < rows.rank(); ++d) rows[d] = 1;
  infer.out(0, infer.in(op.scale_decides ? op.scale : 0).dtype, shape);
  infer.out(op.mean, statistics, rows);
  infer.out(op.inverse, statistics, rows);
  infer.out(op.sum, infer.in(0).dtype, shape);
}

void compute_normalization(const Normalization& op, Compute& c) {
  const Shape& shape = c.in(0).shape();
  const uint32_t axis = normalized_axis(c.attrs(), shape);
  int64_t rows = 1, n = 1;
  for (uint32_t d = 0; d < shape.rank(); ++d) (d < axis ? rows : n) *= shape[d];
  const bool mixed = c.in(op.scale).type.dtype != c.in(0).type.dtype;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { mixed ? normalize_mixed_rows<T>(op, c, rows, n) : normalize_rows<T>(op, c, rows, n); });
}

}  // namespace dbk
