#include "plugin/host_tensor_copy.h"

#include <cstring>

namespace dbk {

TensorType type_of(const dbk_tensor& tensor, const std::string& what) {
  if (!set_of(tensor.dtype)) fail(DBK_INVALID_ARGUMENT, "{}: unknown dtype {:#x}", what, tensor.dtype);
  if (tensor.reserved) fail(DBK_INVALID_ARGUMENT, "{}: reserved must be 0", what);
  if (tensor.rank > DBK_MAX_RANK) fail(DBK_UNIMPLEMENTED, "{}: rank {} is over {}", what, tensor.rank, DBK_MAX_RANK);
  if (tensor.rank && !tensor.dims) fail(DBK_INVALID_ARGUMENT, "{}: dims is NULL", what);
  TensorType type{tensor.dtype, Shape(std::span(tensor.dims, tensor.rank))};
  for (int64_t d : type.shape)
    if (d < 0) fail(DBK_UNIMPLEMENTED, "{}: extents of a tensor are 0 or more, not {}", what, to_string(type.shape));
  try {
    type.bytes();
  } catch (Error& e) {
    fail(DBK_INVALID_ARGUMENT, "{}: {}", what, e.what());
  }
  return type;
}

namespace {

Shape dense_byte_strides(const TensorType& type) {
  Shape strides = dense_strides(type.shape);
  for (int64_t& s : strides) s *= bits_of(type.dtype) / 8;
  return strides;
}

// Bytes from element 0 to behind the last one touched; throws where that overflows.
uint64_t reach(const TensorType& type, const Shape& strides, const std::string& what) {
  int64_t end = bits_of(type.dtype) / 8;
  for (uint32_t i = 0; i < type.shape.rank(); ++i) {
    int64_t span;
    if (__builtin_mul_overflow(type.shape[i] - 1, strides[i], &span)) fail(DBK_INVALID_ARGUMENT, "{}: strides overflow", what);
    if (span > 0 && __builtin_add_overflow(end, span, &end)) fail(DBK_INVALID_ARGUMENT, "{}: strides overflow", what);
  }
  return static_cast<uint64_t>(end);
}

}  // namespace

HostView view_of(const dbk_tensor& tensor, const std::string& what) {
  if (tensor.byte_off) fail(DBK_INVALID_ARGUMENT, "{}: byte_off {} without a buffer", what, tensor.byte_off);
  HostView view;
  view.type = type_of(tensor, what);
  view.data = static_cast<std::byte*>(tensor.data);
  const uint32_t bits = bits_of(view.type.dtype);
  if (view.type.count() == 0) return view;
  if (!view.data) fail(DBK_INVALID_ARGUMENT, "{}: data is NULL", what);
  uint64_t needed = static_cast<uint64_t>(view.type.bytes());
  if (bits >= 8) view.byte_strides = dense_byte_strides(view.type);
  if (tensor.byte_strides) {
    if (bits < 8) fail(DBK_INVALID_ARGUMENT, "{}: {} tensors must be dense", what, to_string(view.type.dtype));
    const Shape given(std::span(tensor.byte_strides, tensor.rank));
    for (uint32_t i = 0; i < given.rank(); ++i)  // the stride along an extent of 1 does not matter
      if (view.type.shape[i] != 1 && given[i] != view.byte_strides[i]) view.dense = false;
    view.byte_strides = given;
    needed = reach(view.type, given, what);
  }
  if (tensor.byte_len < needed)
    fail(DBK_INVALID_ARGUMENT, "{}: {} {} needs {} bytes, byte_len is {}", what, to_string(view.type.dtype),
         to_string(view.type.shape), needed, tensor.byte_len);
  view.aligned = bits < 8 || reinterpret_cast<uintptr_t>(view.data) % std::min<uint32_t>(bits / 8, 16) == 0;
  return view;
}

namespace {

// Visits the rows (last dimension) of a strided tensor in order; f gets the address of the row's first element.
template <class F>
void each_row(const HostView& v, F&& f) {
  const Shape& shape = v.type.shape;
  const uint32_t outer = shape.rank() ? shape.rank() - 1 : 0;
  Shape index = Shape::filled(outer, 0);
  const int64_t row = shape.rank() ? shape[shape.rank() - 1] : 1;
  for (int64_t n = v.type.count() / std::max<int64_t>(row, 1); n > 0; --n) {
    std::byte* at = v.data;
    for (uint32_t i = 0; i < outer; ++i) at += index[i] * v.byte_strides[i];
    f(at);
    for (uint32_t i = outer; i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
}

struct Row {
  int64_t count, stride, element;
  explicit Row(const HostView& v)
      : count(v.type.shape.rank() ? v.type.shape[v.type.shape.rank() - 1] : 1),
        stride(v.type.shape.rank() ? v.byte_strides[v.type.shape.rank() - 1] : 0), element(bits_of(v.type.dtype) / 8) {}
};

}  // namespace

void gather(const HostView& from, std::byte* to) {
  if (from.type.count() == 0) return;
  if (from.dense) {
    std::memcpy(to, from.data, static_cast<size_t>(from.type.bytes()));
    return;
  }
  const Row row(from);
  each_row(from, [&](const std::byte* at) {
    for (int64_t i = 0; i < row.count; ++i, to += row.element) std::memcpy(to, at + i * row.stride, row.element);
  });
}

void scatter(const std::byte* from, const HostView& to) {
  if (to.type.count() == 0) return;
  if (to.dense) {
    std::memcpy(to.data, from, static_cast<size_t>(to.type.bytes()));
    return;
  }
  const Row row(to);
  each_row(to, [&](std::byte* at) {
    for (int64_t i = 0; i < row.count; ++i, from += row.element) std::memcpy(at + i * row.stride, from, row.element);
  });
}

}  // namespace dbk
