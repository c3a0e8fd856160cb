// LayerNormalization: (x - mean) / sqrt(variance + epsilon) * scale + bias over the axes from `axis` on. Mean and
// variance are formed in double in two passes, whatever `stash_type`; that attribute only decides the type of the
// optional outputs. The mean is subtracted in two parts: its rounding to float would be an error of the large numbers
// that it takes away from the small differences that remain.
#include "host_fallback/moments.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

void refuse_unless_broadcastable(const Infer& infer, size_t i, const char* name) {
  if (!infer.has(i)) return;
  const Shape &from = infer.shape(i), &to = infer.shape(0);
  if (from.rank() > to.rank() || broadcast(from, to) != to)
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} does not broadcast to {}", name, to_string(from), to_string(to));
}

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), shape.rank());
  const int64_t stash = infer.attrs().integer("stash_type");
  const DType stash_dtype = dtype_of_onnx(stash);
  if (!contains(FLOATS, stash_dtype)) fail(DBK_INVALID_ARGUMENT, "stash_type is {}, which is no float type", stash);
  refuse_unless_broadcastable(infer, 1, "Scale");
  refuse_unless_broadcastable(infer, 2, "B");
  Shape rows = shape;
  for (uint32_t d = axis; d < rows.rank(); ++d) rows[d] = 1;
  infer.out(0, infer.in(0).dtype, shape);
  infer.out(1, stash_dtype, rows);
  infer.out(2, stash_dtype, rows);
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

// One run of a row. Steps of scale and bias are 1 or 0 unless they broadcast in an unusual way; without a bias it is a
// zero of step 0.
template <class T>
void normalize_run(const T* x, T* y, int64_t n, Moments moments, const T* scale, int64_t step_s, const T* bias,
                   int64_t step_b) {
  using A = Acc<T>;
  const A mean = static_cast<A>(moments.mean), rest = static_cast<A>(moments.mean - static_cast<double>(mean));
  const A inverse = static_cast<A>(moments.inverse);
  if (!is_staged<T> && step_s == 1 && step_b == 1) {
    for (int64_t i = 0; i < n; ++i) y[i] = static_cast<T>((x[i] - mean - rest) * inverse * scale[i] + bias[i]);
    return;
  }
  A v[kStage], s[kStage], b[kStage];
  for (int64_t first = 0; first < n; first += kStage) {
    const int64_t count = std::min(kStage, n - first);
    widen(x + first, 1, v, count);
    widen(scale + first * step_s, step_s, s, count);
    widen(bias + first * step_b, step_b, b, count);
    fill_block(y + first, count, [&](int64_t i) { return (v[i] - mean - rest) * inverse * s[i] + b[i]; });
  }
}

template <class T>
void normalize_rows(Compute& c, int64_t rows, int64_t n) {
  const Shape& shape = c.in(0).shape();
  const Shape none = Shape::filled(shape.rank(), 0);
  const StridedLoop<2> loop(
      shape, {broadcast_strides(c.in(1).shape(), shape), c.has(2) ? broadcast_strides(c.in(2).shape(), shape) : none});
  static constexpr T kZero{};
  const T *in = c.in(0).as<T>(), *scale = c.in(1).as<T>(), *bias = c.has(2) ? c.in(2).as<T>() : &kZero;
  T* out = c.out(0).as<T>();
  const double epsilon = c.attrs().real("epsilon");
  parallel_ranges(rows, grain_of(n), [&, in, scale, bias, out, n, epsilon](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const Moments moments = moments_of(in + row * n, n, epsilon);
      if (out) for_runs(loop, row * n, (row + 1) * n, [&](int64_t first, const Offsets<2>& at, int64_t length) {
        normalize_run<T>(in + first, out + first, length, moments, scale + at[0], loop.step(0), bias + at[1],
                         loop.step(1));
      });
      store(c, 1, row, moments.mean);
      store(c, 2, row, moments.inverse);
    }
  });
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  const uint32_t axis = normalize_axis(c.attrs().integer("axis"), shape.rank());
  int64_t rows = 1, n = 1;
  for (uint32_t d = 0; d < shape.rank(); ++d) (d < axis ? rows : n) *= shape[d];
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { normalize_rows<T>(c, rows, n); });
}

}  // namespace

extern constinit const HostOp host_layer_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk
