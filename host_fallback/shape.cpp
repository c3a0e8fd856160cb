#include "host_fallback/shape.h"

namespace dbk {

int64_t Shape::count() const {
  int64_t n = 1;
  for (int64_t d : *this) {
    if (__builtin_mul_overflow(n, d, &n)) fail(DBK_INVALID_ARGUMENT, "size of shape {} overflows", to_string(*this));
  }
  return n;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (uint32_t i = 0; i < shape.rank(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Shape broadcast(const Shape& a, const Shape& b) {
  Shape out = Shape::filled(std::max(a.rank(), b.rank()), 1);
  for (uint32_t i = 0; i < out.rank(); ++i) {
    const int64_t x = i < a.rank() ? a[a.rank() - 1 - i] : 1;
    const int64_t y = i < b.rank() ? b[b.rank() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      fail(DBK_INVALID_ARGUMENT, "shapes {} and {} do not broadcast", to_string(a), to_string(b));
    out[out.rank() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

Shape dense_strides(const Shape& shape) {
  Shape strides = Shape::filled(shape.rank(), 1);
  for (uint32_t i = shape.rank(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

Shape broadcast_strides(const Shape& from, const Shape& to) {
  const Shape dense = dense_strides(from);
  Shape strides = Shape::filled(to.rank(), 0);
  const uint32_t lead = to.rank() - from.rank();
  for (uint32_t i = 0; i < from.rank(); ++i) strides[lead + i] = from[i] == 1 ? 0 : dense[i];
  return strides;
}

uint32_t normalize_axis(int64_t axis, uint32_t rank, const char* what) {
  const int64_t r = rank;
  if (axis < -r || axis >= r) fail(DBK_INVALID_ARGUMENT, "{} {} is outside [{}, {})", what, axis, -r, r);
  return static_cast<uint32_t>(axis < 0 ? axis + r : axis);
}

}  // namespace dbk
