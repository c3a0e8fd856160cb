// Flatten: a matrix whose rows are the axes before `axis`; that may be the rank itself, and counts from the end below 0.
#include "host_fallback/view.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const int64_t axis = infer.attrs().integer("axis"), rank = shape.rank();
  if (axis < -rank || axis > rank) fail(DBK_INVALID_ARGUMENT, "axis {} is outside [{}, {}]", axis, -rank, rank);
  const size_t split = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  const std::span<const int64_t> extents = shape;
  infer.out(0, infer.in(0).dtype, {Shape(extents.first(split)).count(), Shape(extents.subspan(split)).count()});
}

}  // namespace

extern constinit const HostOp host_flatten{STORED, 0, infer, compute_view};

}  // namespace dbk
