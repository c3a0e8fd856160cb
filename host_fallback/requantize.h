// From a sum of products of codes to the code of the result: round(sum * scale a * scale b / scale y) + zero point,
// within its range. The factor is formed in the type of the scales, the product in f32.
#pragma once

#include "host_fallback/quantization.h"

namespace dbk {

inline float requantizing_factor(float a_scale, float b_scale, float y_scale, DType dtype) {
  return in_precision(in_precision(a_scale * b_scale, dtype) / y_scale, dtype);
}

template <class T>
class Requantizer {
 public:
  explicit Requantizer(float zero) : zero_(zero) {}
  T operator()(int32_t sum, float factor) const {
    return static_cast<T>(quantized(static_cast<float>(sum) * factor, zero_,
                                    static_cast<float>(std::numeric_limits<T>::min()),
                                    static_cast<float>(std::numeric_limits<T>::max())));
  }

 private:
  float zero_;
};

inline void require_single(const Infer& infer, size_t i, const char* what) {
  if (infer.in(i).count() != 1)
    fail(DBK_INVALID_ARGUMENT, "{} of shape {}, but there is one for all", what, to_string(infer.shape(i)));
}

}  // namespace dbk
