// DynamicQuantizeMatMul: A becomes codes of u8 for its range, as DynamicQuantizeLinear makes them, and their product
// with the codes of B real numbers again.
#include "host_fallback/dynamic_quantize.h"
#include "host_fallback/scaled_matmul.h"

namespace dbk {

namespace {

enum Input : size_t { kA, kB, kScale, kZero, kBias };

void infer(Infer& infer) {
  const MatmulLayout l = matmul_layout(infer.shape(kA), infer.shape(kB));
  places_of(infer.shape(kScale), l, false, "b_scale");
  if (infer.has(kZero)) places_of(infer.shape(kZero), l, false, "b_zero_point");
  require_bias_of_columns(infer, kBias, l);
  infer.out(0, infer.in(kA).dtype, l.result());
}

int64_t work_bytes(const Compute& c) { return c.in(kA).count(); }

void compute(Compute& c) {
  const Tensor& a = c.in(kA);
  const DynamicScale s = dynamic_scale(a.as<float>(), a.count());
  Tensor codes{{DBK_U8, a.shape()}, c.work()};
  quantize_bytes(a.as<float>(), a.count(), s.scale, s.zero, codes.as<uint8_t>());
  float number = s.zero;
  const Tensor zero{{DBK_F32, {}}, &number};
  const MatmulLayout l = matmul_layout(a.shape(), c.in(kB).shape());
  scaled_matmul(l, codes, c.in(kB), s.scale, {&c.in(kScale), l, false, "b_scale", 1},
                {&zero, l, true, "a_zero_point", 0},
                {c.has(kZero) ? &c.in(kZero) : nullptr, l, false, "b_zero_point", 0},
                c.has(kBias) ? &c.in(kBias) : nullptr, c.out(0));
}

}  // namespace

extern constinit const HostOp host_dynamic_quantize_matmul{
    .dtypes = F32, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
