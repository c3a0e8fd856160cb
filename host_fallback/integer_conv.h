// The convolution of bytes behind ConvInteger and QLinearConv.
#pragma once

#include "host_fallback/conv.h"
#include "host_fallback/conv_patches.h"
#include "host_fallback/integer_product.h"
#include "host_fallback/op.h"

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

}  // namespace dbk
