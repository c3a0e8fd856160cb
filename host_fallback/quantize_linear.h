// What QuantizeLinear and its kernels agree on.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

// The type that x / scale is rounded to: f16, bf16 or f32, and f64 for scales that are; throws for another `precision`.
DType quotient_type(const Attributes& attrs, DType scale);

// The ops of both domains; com.microsoft's have fewer attributes and types.
void infer_quantize_linear(Infer& infer);
void compute_quantize_linear(Compute& c);
void infer_dequantize_linear(Infer& infer);
void compute_dequantize_linear(Compute& c);

}  // namespace dbk
