// ConvInteger: the convolution of bytes less their zero points, in 32 bits; padding counts as the zero point.
#include "host_fallback/integer_conv.h"

namespace dbk {

namespace {

constexpr ByteConv kConv{.x = 0, .w = 1, .x_zero = 2, .w_zero = 3};

void infer(Infer& infer) {
  const Convolution c = kConv.infer(infer);
  infer.out(0, DBK_I32, c.windows.result(c.batch, c.channels_out * c.groups));
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  int32_t* out = c.out(0).as<int32_t>();
  kConv.compute(c, [=](int64_t at, int64_t, int32_t sum) { out[at] = sum; });
}

}  // namespace

extern constinit const HostOp host_conv_integer{I8 | U8, 0, infer, compute};

}  // namespace dbk
