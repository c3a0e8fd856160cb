// MatMulInteger: the product of bytes less their zero points, in 32 bits.
#include "host_fallback/integer_matmul.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const MatmulLayout l = matmul_layout(infer.shape(0), infer.shape(1));
  if (infer.has(2)) places_of(infer.shape(2), l, true, "a_zero_point");
  if (infer.has(3)) places_of(infer.shape(3), l, false, "b_zero_point");
  infer.out(0, DBK_I32, l.result());
}

void compute(Compute& c) {
  const MatmulLayout l = matmul_layout(c.in(0).shape(), c.in(1).shape());
  const MatrixNumbers a_zero(c.has(2) ? &c.in(2) : nullptr, l, true, "a_zero_point", 0);
  const MatrixNumbers b_zero(c.has(3) ? &c.in(3) : nullptr, l, false, "b_zero_point", 0);
  int32_t* out = c.out(0).as<int32_t>();
  integer_matmul(l, c.in(0), c.in(1), a_zero, b_zero,
                 [out](int64_t at, int64_t, int64_t, int64_t, int32_t sum) { out[at] = sum; });
}

}  // namespace

extern constinit const HostOp host_matmul_integer{kBytes, 0, infer, compute};

}  // namespace dbk
