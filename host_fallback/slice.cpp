// Slice: a range with a step along some axes. Version 1 has the ranges in attributes, later ones in inputs 1 to 4.
#include "host_fallback/copy_strided.h"
#include "host_fallback/op.h"
#include "host_fallback/int_list.h"

namespace dbk {

namespace {

struct Ranges {
  Shape start, step, extent;  // per axis of the input; extent is that of the output
};

// Number of elements from start (included) to end (excluded), after clamping both as NumPy does.
void set_range(Ranges& r, uint32_t axis, int64_t dim, int64_t start, int64_t end, int64_t step) {
  if (start < 0) start += dim;
  if (end < 0) end += dim;
  if (step > 0) {
    start = std::clamp<int64_t>(start, 0, dim);
    end = std::clamp<int64_t>(end, 0, dim);
    r.extent[axis] = end > start ? (end - start - 1) / step + 1 : 0;
  } else {
    start = std::clamp<int64_t>(start, -1, dim - 1);
    end = std::clamp<int64_t>(end, -1, dim - 1);
    r.extent[axis] = start > end ? (start - end - 1) / -std::max(step, -INT64_MAX) + 1 : 0;
  }
  r.start[axis] = start;
  r.step[axis] =
      r.extent[axis] > 1 ? step : 1;  // a single element has no step, which keeps huge ones out of the arithmetic
}

Ranges ranges_of(const Shape& shape, IntList starts, IntList ends, IntList axes, IntList steps) {
  Ranges r{Shape::filled(shape.rank(), 0), Shape::filled(shape.rank(), 1), shape};
  const int64_t count = starts.size();
  if (ends.size() != count || (axes.given() && axes.size() != count) || (steps.given() && steps.size() != count))
    fail(DBK_INVALID_ARGUMENT, "starts, ends, axes and steps differ in length: {}, {}, {}, {}", count, ends.size(),
         axes.size(), steps.size());
  uint32_t seen = 0;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t axis = normalize_axis(axes.given() ? axes[i] : i, shape.rank(), "axes: axis");
    if (seen >> axis & 1) fail(DBK_INVALID_ARGUMENT, "axes names axis {} twice", axis);
    seen |= 1u << axis;
    const int64_t step = steps.given() ? steps[i] : 1;
    if (step == 0) fail(DBK_INVALID_ARGUMENT, "step of axis {} is 0", axis);
    set_range(r, axis, shape[axis], starts[i], ends[i], step);
  }
  return r;
}

// `node` is an Infer or a Compute.
template <class Node>
Ranges ranges_of(const Node& node, const Shape& shape) {
  return ranges_of(shape, list_of(node, 1, "starts"), list_of(node, 2, "ends"), list_of(node, 3, "axes"),
                   list_of(node, 4, "steps"));
}

void infer(Infer& infer) { infer.out(0, infer.in(0).dtype, ranges_of(infer, infer.shape(0)).extent); }

// One run: forward, and everything behind the first axis with more than one place left is whole.
std::optional<int64_t> part(const Infer& infer) {
  const Shape& shape = infer.shape(0);
  const Ranges r = ranges_of(infer, shape);
  if (r.extent.count() == 0) return 0;
  const Shape strides = dense_strides(shape);
  int64_t start = 0;
  bool behind = false;
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    if (r.step[d] != 1 || (behind && r.extent[d] != shape[d])) return std::nullopt;
    behind = behind || r.extent[d] > 1;
    start += r.start[d] * strides[d];
  }
  return start;
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  if (c.out(0).count() == 0) return;
  const Ranges r = ranges_of(c, shape);
  Shape strides = dense_strides(shape);
  int64_t base = 0;
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    base += r.start[d] * strides[d];
    strides[d] *= r.step[d];
  }
  copy_strided(c.in(0), base, strides, c.out(0));
}

}  // namespace

extern constinit const HostOp host_slice{MOVABLE, 0b11110, infer, compute, 0, part};

}  // namespace dbk
