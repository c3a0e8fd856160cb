// See tensor.h.
#include "tensor.h"

namespace host {

Tensor copy_of(const TensorData& data) {
  return {data.dtype, data.dims, {data.bytes.begin(), data.bytes.end()}, data.strings};
}

std::string dtype_text(uint32_t dtype) {
  switch (dtype) {
    case DBK_F8_E4M3FN:
      return "f8_e4m3fn";
    case DBK_F8_E4M3FNUZ:
      return "f8_e4m3fnuz";
    case DBK_F8_E5M2:
      return "f8_e5m2";
    case DBK_F8_E5M2FNUZ:
      return "f8_e5m2fnuz";
    case DBK_F8_E8M0FNU:
      return "f8_e8m0fnu";
    case DBK_F4_E2M1FN:
      return "f4_e2m1fn";
    default:
      return daybreak::dtype_name(dtype);
  }
}

std::string type_text(uint32_t dtype, const daybreak::Dims& dims) {
  return dtype_text(dtype) + daybreak::to_string(dims);
}

}  // namespace host
