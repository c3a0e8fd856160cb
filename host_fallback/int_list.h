// A list of integers that versions of an op keep in different places: an attribute, or an input.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

struct IntList {
  const Tensor* tensor = nullptr;
  const std::vector<int64_t>* values = nullptr;

  bool given() const { return tensor || values; }
  int64_t size() const { return tensor ? tensor->count() : values ? static_cast<int64_t>(values->size()) : 0; }
  int64_t operator[](int64_t i) const { return tensor ? integer_at(*tensor, i) : (*values)[static_cast<size_t>(i)]; }
};

inline IntList attribute_list(const Attributes& attrs, std::string_view name) {
  return attrs.has(name) ? IntList{nullptr, &attrs.integers(name)} : IntList{};
}

// Input `i` where it is there, else attribute `name`, else nothing.
inline IntList list_of(const Infer& infer, size_t i, std::string_view name) {
  return infer.has(i) ? IntList{&infer.value(i)} : attribute_list(infer.attrs(), name);
}
inline IntList list_of(const Compute& c, size_t i, std::string_view name) {
  return c.has(i) ? IntList{&c.in(i)} : attribute_list(c.attrs(), name);
}

// Bit d for every axis d that the list names; throws for one that does not exist in `rank` axes or is named twice.
inline uint32_t axis_bits(const IntList& axes, uint32_t rank) {
  uint32_t bits = 0;
  for (int64_t i = 0, n = axes.size(); i < n; ++i) {
    const uint32_t axis = normalize_axis(axes[i], rank, "axes: axis");
    if (bits >> axis & 1) fail(DBK_INVALID_ARGUMENT, "axes names axis {} twice", axis);
    bits |= 1u << axis;
  }
  return bits;
}

}  // namespace dbk
