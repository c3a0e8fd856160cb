// The convolution of bytes behind ConvInteger and QLinearConv.
#pragma once

#include "host_fallback/conv.h"
#include "host_fallback/conv_patches.h"
#include "host_fallback/integer_product.h"
#include "host_fallback/op.h"
#include "host_fallback/requantize.h"

namespace dbk {

// Calls store(element of the result, output channel, sum) for every element; w_zero(channel) is the zero point of its
// weights.
template <class X, class W, class WZero, class Store>
void convolve_bytes(const Convolution& c, const X* x, const W* weights, int32_t x_zero, WZero w_zero, Store store) {
  const int64_t m = c.channels_out, n = c.windows.out_count(), k = c.channels_in * c.windows.taps();
  const int64_t across = (n + kByteColumns - 1) / kByteColumns, down = (m + kTileRows - 1) / kTileRows;
  const int64_t planes = c.channels_in * c.windows.in_count();
  const int64_t grain = grain_of(std::min(m, kTileRows) * kByteColumns * k);
  parallel_ranges(c.batch * c.groups * down * across, grain, [=, &c](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t part = task / (down * across), group = part % c.groups;  // part: batch and group
      const int64_t row = task / across % down * kTileRows, column = task % across * kByteColumns;
      const MatrixProduct<X, W> p{m, n, k, weights + group * m * k, nullptr, k, 1, 0, 0};
      Patches<X> pack(c.windows, x + part * planes, static_cast<ByteSum>(x_zero));
      multiply_byte_tile(
          p, row, column, pack, [=](int64_t i) { return w_zero(group * m + i); },
          [=](int64_t i, int64_t j, int32_t sum) { store((part * m + i) * n + j, group * m + i, sum); });
    }
  });
}

// Throws where zero points or scales of the weights are neither one nor one for each output channel.
inline void require_of_channels(const Infer& infer, size_t i, int64_t channels, const char* what) {
  if (infer.in(i).count() != 1 && infer.shape(i) != Shape{channels})
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} for {} output channels", what, to_string(infer.shape(i)), channels);
}

// Inputs of a convolution of bytes. Zero points may be absent.
struct ByteConv {
  size_t x, w, x_zero, w_zero;

  Convolution infer(const Infer& infer) const {
    const Convolution c = convolution_of(infer.attrs(), infer.shape(x), infer.shape(w));
    if (infer.has(x_zero)) require_single(infer, x_zero, "x_zero_point");
    if (infer.has(w_zero)) require_of_channels(infer, w_zero, c.channels_out * c.groups, "w_zero_point");
    return c;
  }

  // `store` as above.
  template <class Store>
  void compute(const Compute& c, Store store) const {
    const Convolution conv = convolution_of(c.attrs(), c.in(x).shape(), c.in(w).shape());
    const auto zero = static_cast<int32_t>(c.has(x_zero) ? single_number(c.in(x_zero)) : 0.0f);
    with_type<I8 | U8>(c.in(x).type.dtype, [&]<class X>() {
      with_type<I8 | U8>(c.in(w).type.dtype, [&]<class W>() {
        const W* zeros = c.has(w_zero) ? c.in(w_zero).as<W>() : nullptr;
        const int64_t step = zeros && c.in(w_zero).count() > 1 ? 1 : 0;
        const auto zero_of = [=](int64_t channel) { return zeros ? int32_t{zeros[channel * step]} : 0; };
        convolve_bytes(conv, c.in(x).as<X>(), c.in(w).as<W>(), zero, zero_of, store);
      });
    });
  }
};

}  // namespace dbk
