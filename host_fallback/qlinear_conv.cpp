// QLinearConv: codes of the convolution of what codes stand for. The bias, of 32 bits, has the scale of the sums.
#include "host_fallback/integer_conv.h"
#include "host_fallback/requantize.h"

namespace dbk {

namespace {

constexpr DTypeSet kBytes = I8 | U8;

void infer(Infer& infer) {
  const Convolution c = convolution_of(infer.attrs(), infer.shape(0), infer.shape(3));
  const int64_t channels = c.channels_out * c.groups;
  require_single(infer, 1, "x_scale");
  require_single(infer, 2, "x_zero_point");
  require_of_channels(infer, 4, channels, "w_scale");
  require_of_channels(infer, 5, channels, "w_zero_point");
  require_single(infer, 6, "y_scale");
  require_single(infer, 7, "y_zero_point");
  if (infer.has(8) && infer.shape(8) != Shape{channels})
    fail(DBK_INVALID_ARGUMENT, "B of shape {} for {} output channels", to_string(infer.shape(8)), channels);
  infer.out(0, infer.in(7).dtype, c.windows.result(c.batch, channels));
}

template <class X, class W, class Y>
void convolve(Compute& c, const Convolution& conv) {
  const W* zeros = c.in(5).as<W>();
  const float* scales = c.in(4).as<float>();
  const int32_t* bias = c.has(8) ? c.in(8).as<int32_t>() : nullptr;
  const int64_t zero_step = c.in(5).count() > 1 ? 1 : 0, scale_step = c.in(4).count() > 1 ? 1 : 0;
  const float x_scale = single_number(c.in(1)), y_scale = single_number(c.in(6));
  const Requantizer<Y> code(single_number(c.in(7)));
  Y* out = c.out(0).as<Y>();
  convolve_bytes(
      conv, c.in(0).as<X>(), c.in(3).as<W>(), static_cast<int32_t>(single_number(c.in(2))),
      [=](int64_t channel) { return int32_t{zeros[channel * zero_step]}; },
      [=](int64_t at, int64_t channel, int32_t sum) {
        if (bias) sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(bias[channel]));
        out[at] = code(sum, requantizing_factor(x_scale, scales[channel * scale_step], y_scale, DBK_F32));
      });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  const Convolution conv = convolution_of(c.attrs(), c.in(0).shape(), c.in(3).shape());
  with_type<kBytes>(c.in(0).type.dtype, [&]<class X>() {
    with_type<kBytes>(c.in(3).type.dtype, [&]<class W>() {
      with_type<kBytes>(c.out(0).type.dtype, [&]<class Y>() { convolve<X, W, Y>(c, conv); });
    });
  });
}

}  // namespace

extern constinit const HostOp host_qlinear_conv{kBytes, 0, infer, compute};

}  // namespace dbk
