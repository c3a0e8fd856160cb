// MeanVarianceNormalization: (x - mean) / (standard deviation + 1e-9) over the given axes; moments are formed in double in
// two passes.
#include <cmath>

#include "host_fallback/int_list.h"
#include "host_fallback/parallel.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

// Bit d: axis d is normalised.
uint32_t axes_of(const Attributes& attrs, uint32_t rank) {
  return axis_bits(attribute_list(attrs, "axes"), rank);
}

void infer(Infer& infer) {
  axes_of(infer.attrs(), infer.shape(0).rank());
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

StridedLoop<1> loop_over(const Shape& shape, uint32_t bits) {
  const Shape dense = dense_strides(shape);
  Shape extent, strides;
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    if ((bits >> d & 1) == 0) continue;
    extent.push_back(shape[d]);
    strides.push_back(dense[d]);
  }
  return {extent, {strides}};
}

template <class T>
void normalize(const StridedLoop<1>& loop, int64_t n, const T* in, T* out) {
  const auto each = [&](auto f) {
    for_runs(loop, 0, n, [&](int64_t, const Offsets<1>& at, int64_t length) {
      for (int64_t i = 0; i < length; ++i) f(at[0] + i * loop.step(0));
    });
  };
  double sum = 0, square = 0;
  each([&](int64_t at) { sum += static_cast<double>(in[at]); });
  const double mean = sum / static_cast<double>(n);
  each([&](int64_t at) { square += (static_cast<double>(in[at]) - mean) * (static_cast<double>(in[at]) - mean); });
  const double deviation = std::sqrt(square / static_cast<double>(n)) + 1e-9;
  each([&](int64_t at) { out[at] = static_cast<T>(static_cast<Acc<T>>((static_cast<double>(in[at]) - mean) / deviation)); });
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  if (shape.count() == 0) return;
  const uint32_t bits = axes_of(c.attrs(), shape.rank());
  const StridedLoop<1> kept = loop_over(shape, ~bits), reduced = loop_over(shape, bits);
  const int64_t rows = kept.extent.count(), n = reduced.extent.count();
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    parallel_ranges(rows, grain_of(n), [&, in, out, n](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t at = offsets_of(kept, row)[0];
        normalize(reduced, n, in + at, out + at);
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_mean_variance_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk
