// ai.daybreak.Rotary (made by passes): y = x cos + turned(x) sin along the last axis, for numbers that turn in pairs: element i with
// i + size / 2, or neighbours where `interleaved`. turned(x) is (-second, first) of each pair; cos and sin broadcast to x.
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  if (x.rank() == 0 || x[x.rank() - 1] % 2 != 0) fail(DBK_INVALID_ARGUMENT, "the last axis of {} has no pairs", to_string(x));
  for (size_t i : {1, 2})
    if (infer.shape(i).rank() > x.rank() || broadcast(infer.shape(i), x) != x)
      fail(DBK_INVALID_ARGUMENT, "{} of shape {} does not broadcast to {}", i == 1 ? "cos" : "sin", to_string(infer.shape(i)), to_string(x));
  infer.out(0, infer.in(0).dtype, x);
}

// One half of a row, or every second element of it: `step` apart, their partners at `x_other`.
template <class T>
struct Side {
  const T *x, *x_other, *cos, *sin;
  int64_t step, cos_step, sin_step;
  Acc<T> sign;

  void turn(T* y, int64_t count) const {
    Acc<T> own[kStage], other[kStage], c[kStage], s[kStage];
    for (int64_t first = 0; first < count; first += kStage) {
      const int64_t n = std::min(kStage, count - first);
      widen(x + first * step, step, own, n);
      widen(x_other + first * step, step, other, n);
      widen(cos + first * step * cos_step, step * cos_step, c, n);
      widen(sin + first * step * sin_step, step * sin_step, s, n);
      for (int64_t i = 0; i < n; ++i) y[(first + i) * step] = static_cast<T>(own[i] * c[i] + sign * other[i] * s[i]);
    }
  }
};

template <class T>
void rotate(Compute& c, bool interleaved) {
  const Shape& shape = c.out(0).shape();
  const int64_t size = shape[shape.rank() - 1], second = interleaved ? 1 : size / 2, step = interleaved ? 2 : 1;
  const StridedLoop<2> loop(shape, {broadcast_strides(c.in(1).shape(), shape), broadcast_strides(c.in(2).shape(), shape)});
  const T *x = c.in(0).as<T>(), *cos = c.in(1).as<T>(), *sin = c.in(2).as<T>();
  T* y = c.out(0).as<T>();
  parallel_ranges(shape.count() / size, grain_of(size), [&loop, x, cos, sin, y, size, second, step](int64_t begin, int64_t end) {
    const int64_t cos_step = loop.step(0), sin_step = loop.step(1);  // within a row, which is a part of a run
    for (int64_t r = begin; r < end; ++r) {
      const auto [cos_at, sin_at] = offsets_of(loop, r * size);
      const T *row = x + r * size, *cos_row = cos + cos_at, *sin_row = sin + sin_at;
      Side<T>{row, row + second, cos_row, sin_row, step, cos_step, sin_step, -1}.turn(y + r * size, size / 2);
      Side<T>{row + second, row, cos_row + second * cos_step, sin_row + second * sin_step, step, cos_step, sin_step, 1}.turn(
          y + r * size + second, size / 2);
    }
  });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { rotate<T>(c, c.attrs().integer("interleaved") != 0); });
}

}  // namespace

extern constinit const HostOp host_rotary{FLOATS, 0, infer, compute};

}  // namespace dbk
