// Conv: for each group, weights [channels out, channels in * taps] times the patches of the input under each window. The
// patches of a tile are packed on the stack, zeros for padding, so that no copy of the input is made.
#include "host_fallback/conv.h"

#include "host_fallback/conv_patches.h"
#include "host_fallback/matrix_product.h"
#include "host_fallback/op.h"

namespace dbk {

Shape kernel_of(const Attributes& attrs, const Shape& w) {
  Shape kernel;
  for (uint32_t d = 2; d < w.rank(); ++d) kernel.push_back(w[d]);
  if (attrs.has("kernel_shape") && !std::ranges::equal(attrs.integers("kernel_shape"), kernel))
    fail(DBK_INVALID_ARGUMENT, "kernel_shape is {}, the weights are {}", to_string(Shape(attrs.integers("kernel_shape"))), to_string(w));
  return kernel;
}

Convolution convolution_of(const Attributes& attrs, const Shape& x, const Shape& w) {
  if (w.rank() != x.rank())
    fail(DBK_INVALID_ARGUMENT, "weights of shape {} for an input of shape {}", to_string(w), to_string(x));
  Convolution c;
  c.windows = sliding_windows(attrs, x, kernel_of(attrs, w));
  c.groups = attrs.integer("group");
  if (c.groups < 1 || w[0] % c.groups != 0)
    fail(DBK_INVALID_ARGUMENT, "group is {}, which does not divide {} output channels", c.groups, w[0]);
  c.batch = x[0];
  c.channels_in = w[1];
  c.channels_out = w[0] / c.groups;
  if (x[1] % c.groups != 0 || x[1] / c.groups != w[1])
    fail(DBK_INVALID_ARGUMENT, "an input of {} channels in {} groups for weights of {} channels", x[1], c.groups, w[1]);
  return c;
}

namespace {

void infer(Infer& infer) {
  const Convolution c = convolution_of(infer.attrs(), infer.shape(0), infer.shape(1));
  const int64_t channels = c.channels_out * c.groups;
  if (infer.has(2) && infer.shape(2) != Shape{channels})
    fail(DBK_INVALID_ARGUMENT, "B of shape {} for {} output channels", to_string(infer.shape(2)), channels);
  infer.out(0, infer.in(0).dtype, c.windows.result(c.batch, channels));
}

template <class T>
void convolve(const Convolution& c, const T* x, const T* weights, const T* bias, T* out) {
  using R = Acc<T>;
  const int64_t m = c.channels_out, n = c.windows.out_count(), k = c.channels_in * c.windows.taps();
  const int64_t across = (n + kTileColumns<R> - 1) / kTileColumns<R>, down = (m + kTileRows - 1) / kTileRows;
  const int64_t planes = c.channels_in * c.windows.in_count();
  const int64_t grain = grain_of(std::min(m, kTileRows) * kTileColumns<R> * k);
  parallel_ranges(c.batch * c.groups * down * across, grain, [=, &c](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t part = task / (down * across), group = part % c.groups;  // part: batch and group
      const int64_t row = task / across % down * kTileRows, column = task % across * kTileColumns<R>;
      const MatrixProduct<T> p{m, n, k, weights + group * m * k, nullptr, k, 1, 0, 0};
      const T* offset = bias ? bias + group * m : nullptr;
      T* to = out + part * m * n;
      Patches<T> pack(c.windows, x + part * planes);
      multiply_tile(p, row, column, pack, [=](int64_t i, int64_t j, R sum) {
        to[i * n + j] = static_cast<T>(offset ? sum + static_cast<R>(offset[i]) : sum);
      });
    }
  });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  const Convolution conv = convolution_of(c.attrs(), c.in(0).shape(), c.in(1).shape());
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    convolve<T>(conv, c.in(0).as<T>(), c.in(1).as<T>(), c.has(2) ? c.in(2).as<T>() : nullptr, c.out(0).as<T>());
  });
}

}  // namespace

extern constinit const HostOp host_conv{FLOATS, 0, infer, compute};

}  // namespace dbk
