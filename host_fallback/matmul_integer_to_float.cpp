// MatMulIntegerToFloat: the product of what two matrices of codes stand for, as real numbers.
#include "host_fallback/requantize.h"
#include "host_fallback/scaled_matmul.h"

namespace dbk {

namespace {

enum Input : size_t { kA, kB, kScaleOfA, kScaleOfB, kZeroOfA, kZeroOfB, kBias };

void infer(Infer& infer) {
  const MatmulLayout l = matmul_layout(infer.shape(kA), infer.shape(kB));
  require_single(infer, kScaleOfA, "a_scale");
  places_of(infer.shape(kScaleOfB), l, false, "b_scale");
  if (infer.has(kZeroOfA)) require_single(infer, kZeroOfA, "a_zero_point");
  if (infer.has(kZeroOfB)) places_of(infer.shape(kZeroOfB), l, false, "b_zero_point");
  require_bias_of_columns(infer, kBias, l);
  infer.out(0, infer.in(kScaleOfA).dtype, l.result());
}

void compute(Compute& c) {
  const MatmulLayout l = matmul_layout(c.in(kA).shape(), c.in(kB).shape());
  const auto given = [&](size_t i) { return c.has(i) ? &c.in(i) : nullptr; };
  scaled_matmul(l, c.in(kA), c.in(kB), single_number(c.in(kScaleOfA)), {&c.in(kScaleOfB), l, false, "b_scale", 1},
                {given(kZeroOfA), l, true, "a_zero_point", 0}, {given(kZeroOfB), l, false, "b_zero_point", 0},
                given(kBias), c.out(0));
}

}  // namespace

extern constinit const HostOp host_matmul_integer_to_float{kBytes, 0, infer, compute};

}  // namespace dbk
