// Tensors in host memory: a borrowed dense row-major view, and an owning one for constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host_fallback/dtype.h"
#include "host_fallback/shape.h"

namespace dbk {

struct TensorType {
  DType dtype = DBK_DTYPE_NONE;
  Shape shape;
  int64_t count() const { return shape.count(); }
  int64_t bytes() const { return byte_size(dtype, count()); }
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

// A dense view; `data` is aligned for the element type. Does not own.
struct Tensor {
  TensorType type;
  void* data = nullptr;

  const Shape& shape() const { return type.shape; }
  int64_t count() const { return type.count(); }
  template <class T>
  const T* as() const { return static_cast<const T*>(data); }
  template <class T>
  T* as() { return static_cast<T*>(data); }
};

struct HostTensor {
  TensorType type;
  std::vector<std::byte> bytes;
  Tensor view() const { return {type, const_cast<std::byte*>(bytes.data())}; }
};

// Element i of an integer tensor (i32 or i64), widened; for computations, which may not allocate.
int64_t integer_at(const Tensor& tensor, int64_t i);
// Elements of an integer tensor (i32 or i64) widened; used for shape operands.
std::vector<int64_t> to_integers(const Tensor& tensor);

}  // namespace dbk
