// Products of bytes as real numbers: sum * scale a * scale b, plus a bias of the columns. Behind MatMulIntegerToFloat
// and DynamicQuantizeMatMul.
#pragma once

#include "host_fallback/integer_matmul.h"

namespace dbk {

// `bias` may be null; `out` has the type of the scales and the bias.
inline void scaled_matmul(const MatmulLayout& l, const Tensor& a, const Tensor& b, float a_scale,
                          const MatrixNumbers& b_scale, const MatrixNumbers& a_zero, const MatrixNumbers& b_zero,
                          const Tensor* bias, Tensor& out) {
  const StridedLoop<1> scales(l.batch, {b_scale.batch_strides()});
  with_type<FLOATS>(out.type.dtype, [&]<class T>() {
    using A = Acc<T>;
    T* y = out.as<T>();
    const T* offset = bias ? bias->as<T>() : nullptr;
    integer_matmul(l, a, b, a_zero, b_zero, [&](int64_t at, int64_t batch, int64_t, int64_t j, int32_t sum) {
      const A scale = static_cast<A>(a_scale) * static_cast<A>(b_scale.at(offsets_of(scales, batch)[0], 0, j));
      const A product = static_cast<A>(sum) * scale;
      y[at] = static_cast<T>(offset ? product + static_cast<A>(offset[j]) : product);
    });
  });
}

inline void require_bias_of_columns(const Infer& infer, size_t i, const MatmulLayout& l) {
  if (infer.has(i) && infer.shape(i) != Shape{l.n})
    fail(DBK_INVALID_ARGUMENT, "bias of shape {} for {} columns", to_string(infer.shape(i)), l.n);
}

}  // namespace dbk
