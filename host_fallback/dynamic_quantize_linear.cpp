// DynamicQuantizeLinear: codes of u8 for numbers, with the scale and zero point that their range asks for.
#include "host_fallback/dynamic_quantize.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  infer.out(0, DBK_U8, infer.shape(0));
  infer.out(1, DBK_F32, {});
  infer.out(2, DBK_U8, {});
}

void compute(Compute& c) {
  const float* x = c.in(0).as<float>();
  const DynamicScale s = dynamic_scale(x, c.in(0).count());
  if (c.wants(0)) quantize_bytes(x, c.in(0).count(), s.scale, s.zero, c.out(0).as<uint8_t>());
  if (c.wants(1)) *c.out(1).as<float>() = s.scale;
  if (c.wants(2)) *c.out(2).as<uint8_t>() = static_cast<uint8_t>(s.zero);
}

}  // namespace

extern constinit const HostOp host_dynamic_quantize_linear{F32, 0, infer, compute};

}  // namespace dbk
