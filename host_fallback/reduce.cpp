#include "host_fallback/reduce.h"

namespace dbk {

namespace {

// Bit d is set where axis d is reduced. `axes` is input 1 or null.
uint32_t reduced_axes(const Attributes& attrs, const Tensor* axes, uint32_t rank) {
  const bool listed = !axes && attrs.has("axes");
  const int64_t count = axes ? axes->count() : listed ? static_cast<int64_t>(attrs.integers("axes").size()) : 0;
  if (count == 0) return attrs.integer_or("noop_with_empty_axes", 0) != 0 ? 0 : rank == 32 ? ~0u : (1u << rank) - 1;
  uint32_t bits = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t axis = axes ? integer_at(*axes, i) : attrs.integers("axes")[static_cast<size_t>(i)];
    bits |= 1u << normalize_axis(axis, rank, "axes: axis");
  }
  return bits;
}

// The dense strides of a shape, restricted to the axes in `bits` together with their extents.
StridedLoop<1> loop_over(const Shape& shape, uint32_t bits) {
  const Shape dense = dense_strides(shape);
  Shape extent, strides;
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    if ((bits >> d & 1) == 0) continue;
    extent.push_back(shape[d]);
    strides.push_back(dense[d]);
  }
  return StridedLoop<1>(extent, {strides});
}

uint32_t axes_of(const Compute& c) {
  return reduced_axes(c.attrs(), c.has(1) ? &c.in(1) : nullptr, c.in(0).shape().rank());
}

}  // namespace

void infer_reduce(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const uint32_t axes = reduced_axes(infer.attrs(), infer.has(1) ? &infer.value(1) : nullptr, shape.rank());
  const bool keep = infer.attrs().integer("keepdims") != 0;
  Shape out;
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    if ((axes >> d & 1) == 0)
      out.push_back(shape[d]);
    else if (keep)
      out.push_back(1);
  }
  infer.out(0, infer.in(0).dtype, out);
}

ReducePlan::ReducePlan(const Compute& c)
    : kept(loop_over(c.in(0).shape(), ~axes_of(c))),
      reduced(loop_over(c.in(0).shape(), axes_of(c))),
      outputs(kept.extent.count()),
      count(reduced.extent.count()) {}

}  // namespace dbk
