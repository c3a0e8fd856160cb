// QLinearConv: codes of the convolution of what codes stand for. The bias, of 32 bits, has the scale of the sums.
#include "host_fallback/integer_conv.h"

namespace dbk {

namespace {

enum Input : size_t { kX, kXScale, kXZero, kW, kWScale, kWZero, kYScale, kYZero, kBias };
constexpr ByteConv kConv{.x = kX, .w = kW, .x_zero = kXZero, .w_zero = kWZero};

void infer(Infer& infer) {
  const Convolution c = kConv.infer(infer);
  const int64_t channels = c.channels_out * c.groups;
  require_single(infer, kXScale, "x_scale");
  require_of_channels(infer, kWScale, channels, "w_scale");
  require_single(infer, kYScale, "y_scale");
  require_single(infer, kYZero, "y_zero_point");
  if (infer.has(kBias) && infer.shape(kBias) != Shape{channels})
    fail(DBK_INVALID_ARGUMENT, "B of shape {} for {} output channels", to_string(infer.shape(kBias)), channels);
  infer.out(0, infer.in(kYZero).dtype, c.windows.result(c.batch, channels));
}

template <class Y>
void convolve(Compute& c) {
  const float* scales = c.in(kWScale).as<float>();
  const int32_t* bias = c.has(kBias) ? c.in(kBias).as<int32_t>() : nullptr;
  const int64_t step = c.in(kWScale).count() > 1 ? 1 : 0;
  const float x_scale = single_number(c.in(kXScale)), y_scale = single_number(c.in(kYScale));
  const Requantizer<Y> code(single_number(c.in(kYZero)));
  Y* out = c.out(0).as<Y>();
  kConv.compute(c, [=](int64_t at, int64_t channel, int32_t sum) {
    if (bias) sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(bias[channel]));
    out[at] = code(sum, requantizing_factor(x_scale, scales[channel * step], y_scale, DBK_F32));
  });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  with_type<I8 | U8>(c.out(0).type.dtype, [&]<class Y>() { convolve<Y>(c); });
}

}  // namespace

extern constinit const HostOp host_qlinear_conv{I8 | U8, 0, infer, compute};

}  // namespace dbk
