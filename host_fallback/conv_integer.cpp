// ConvInteger: the convolution of bytes less their zero points, in 32 bits; padding counts as the zero point.
#include "host_fallback/integer_conv.h"
#include "host_fallback/requantize.h"

namespace dbk {

namespace {

constexpr DTypeSet kBytes = I8 | U8;

void infer(Infer& infer) {
  const Convolution c = convolution_of(infer.attrs(), infer.shape(0), infer.shape(1));
  const int64_t channels = c.channels_out * c.groups;
  if (infer.has(2)) require_single(infer, 2, "x_zero_point");
  if (infer.has(3)) require_of_channels(infer, 3, channels, "w_zero_point");
  infer.out(0, DBK_I32, c.windows.result(c.batch, channels));
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  const Convolution conv = convolution_of(c.attrs(), c.in(0).shape(), c.in(1).shape());
  const auto x_zero = static_cast<int32_t>(c.has(2) ? single_number(c.in(2)) : 0.0f);
  int32_t* out = c.out(0).as<int32_t>();
  with_type<kBytes>(c.in(0).type.dtype, [&]<class X>() {
    with_type<kBytes>(c.in(1).type.dtype, [&]<class W>() {
      const W* zeros = c.has(3) ? c.in(3).as<W>() : nullptr;
      const int64_t step = c.has(3) && c.in(3).count() > 1 ? 1 : 0;
      convolve_bytes(
          conv, c.in(0).as<X>(), c.in(1).as<W>(), x_zero,
          [=](int64_t channel) { return zeros ? int32_t{zeros[channel * step]} : 0; },
          [=](int64_t at, int64_t, int32_t sum) { out[at] = sum; });
    });
  });
}

}  // namespace

extern constinit const HostOp host_conv_integer{kBytes, 0, infer, compute};

}  // namespace dbk
