// ConvTranspose: every element of the input is spread over the result by the weights of its window. Rows of the result are
// gathered one by one from the input rows and taps that reach them, so that threads share nothing.
#include "host_fallback/conv.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

Convolution transposed_convolution_of(const Attributes& attrs, const Shape& x, const Shape& w) {
  if (w.rank() != x.rank() || w.rank() < 2)
    fail(DBK_INVALID_ARGUMENT, "weights of shape {} for an input of shape {}", to_string(w), to_string(x));
  Convolution c;
  c.windows = transposed_windows(attrs, x, kernel_of(attrs, w));
  c.groups = attrs.integer("group");
  if (c.groups < 1 || w[0] % c.groups != 0 || x[1] != w[0])
    fail(DBK_INVALID_ARGUMENT, "an input of {} channels in {} groups for weights of {} channels", x[1], c.groups, w[0]);
  c.batch = x[0];
  c.channels_in = w[0] / c.groups;
  c.channels_out = w[1];
  return c;
}

namespace {

void infer(Infer& infer) {
  const Convolution c = transposed_convolution_of(infer.attrs(), infer.shape(0), infer.shape(1));
  const int64_t channels = c.channels_out * c.groups;
  if (infer.has(2) && infer.shape(2) != Shape{channels})
    fail(DBK_INVALID_ARGUMENT, "B of shape {} for {} output channels", to_string(infer.shape(2)), channels);
  infer.out(0, infer.in(0).dtype, c.windows.result(c.batch, channels));
}

constexpr int64_t kChunk = 256;  // results of a row that are summed together

// Adds one row of the input under one row of taps to results [first, first + width).
template <class T>
void spread_row(const WindowAxis& axis, const T* x, const T* taps, int64_t first, int64_t width, Acc<T>* sums) {
  using A = Acc<T>;
  for (int64_t tap = 0; tap < axis.kernel; ++tap) {
    const int64_t shift = tap * axis.dilation - axis.begin - first;  // result i * stride + shift of the chunk gets x[i]
    const int64_t from = shift >= 0 ? 0 : (-shift + axis.stride - 1) / axis.stride;
    const int64_t to = width <= shift ? 0 : std::min(axis.in, (width - shift + axis.stride - 1) / axis.stride);
    const A weight = static_cast<A>(taps[tap]);
    for (int64_t i = from; i < to; ++i) sums[i * axis.stride + shift] += weight * static_cast<A>(x[i]);
  }
}

// Calls f(input row, tap row) for each pair along the outer axes that reaches the result row at `place`.
template <class F>
void for_pairs(const Windows& w, const int64_t* place, uint32_t d, int64_t row, int64_t taps, F&& f) {
  if (d + 1 == w.rank) return f(row, taps);
  const WindowAxis& axis = w[d];
  for (int64_t tap = 0; tap < axis.kernel; ++tap) {
    const int64_t at = place[d] + axis.begin - tap * axis.dilation;
    if (at < 0 || at % axis.stride != 0 || at / axis.stride >= axis.in) continue;
    for_pairs(w, place, d + 1, row * axis.in + at / axis.stride, taps * axis.kernel + tap, f);
  }
}

// One row of the result in one channel: `x` and `weights` are those of its group.
template <class T>
void gather_row(const Convolution& c, const int64_t* place, int64_t channel, const T* x, const T* weights, Acc<T> bias,
                T* out) {
  const Windows& w = c.windows;
  const WindowAxis& axis = w[w.rank - 1];
  const int64_t plane = w.in_count(), taps = w.taps();
  for (int64_t first = 0; first < axis.out; first += kChunk) {
    const int64_t width = std::min(kChunk, axis.out - first);
    Acc<T> sums[kChunk];
    std::fill_n(sums, width, Acc<T>(0));
    for (int64_t in = 0; in < c.channels_in; ++in)
      for_pairs(w, place, 0, 0, 0, [&](int64_t row, int64_t tap_row) {
        spread_row(axis, x + in * plane + row * axis.in,
                   weights + (in * c.channels_out + channel) * taps + tap_row * axis.kernel, first, width, sums);
      });
    for (int64_t i = 0; i < width; ++i) out[first + i] = static_cast<T>(sums[i] + bias);
  }
}

template <class T>
void spread(const Convolution& c, const T* x, const T* weights, const T* bias, T* out) {
  const Windows& w = c.windows;
  const int64_t length = w[w.rank - 1].out, rows = w.out_count() / length;  // rows: of a channel
  const int64_t grain = grain_of(c.channels_in * w.taps() * length);
  parallel_ranges(c.batch * c.groups * c.channels_out * rows, grain, [=, &c, &w](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t part = task / rows / c.channels_out, channel = task / rows % c.channels_out, group = part % c.groups;
      int64_t place[DBK_MAX_RANK], rest = task % rows;
      for (uint32_t d = w.rank - 1; d-- > 0; rest /= w[d].out) place[d] = rest % w[d].out;
      const Acc<T> offset = bias ? static_cast<Acc<T>>(bias[group * c.channels_out + channel]) : Acc<T>(0);
      gather_row(c, place, channel, x + part * c.channels_in * w.in_count(),
                 weights + group * c.channels_in * c.channels_out * w.taps(), offset, out + task * length);
    }
  });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  const Convolution conv = transposed_convolution_of(c.attrs(), c.in(0).shape(), c.in(1).shape());
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    spread<T>(conv, c.in(0).as<T>(), c.in(1).as<T>(), c.has(2) ? c.in(2).as<T>() : nullptr, c.out(0).as<T>());
  });
}

}  // namespace

extern constinit const HostOp host_conv_transpose{FLOATS, 0, infer, compute};

}  // namespace dbk
