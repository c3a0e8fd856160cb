// See tensor.h.
#include "tensor.h"

namespace host {

Tensor copy_of(const TensorData& data) {
  return {data.dtype, data.dims, {data.bytes.begin(), data.bytes.end()}, data.strings};
}

std::string type_text(uint32_t dtype, const daybreak::Dims& dims) {
  return daybreak::dtype_name(dtype) + daybreak::to_string(dims);
}

}  // namespace host
