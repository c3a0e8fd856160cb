// Split: consecutive parts along `axis`. Their extents are the list `split` (an attribute before version 13, then an
// input); without one they are equal, and since version 18 the last may be smaller.
#include "host_fallback/copy_strided.h"
#include "host_fallback/op.h"
#include "host_fallback/int_list.h"

namespace dbk {

namespace {

void check_list(const IntList& list, int64_t parts, int64_t extent) {
  if (list.size() != parts) fail(DBK_INVALID_ARGUMENT, "split has {} extents for {} outputs", list.size(), parts);
  int64_t sum = 0;
  for (int64_t i = 0; i < parts; ++i) {
    if (list[i] < 0 || list[i] > extent) fail(DBK_INVALID_ARGUMENT, "split has {} at {}", list[i], i);
    sum += list[i];
  }
  if (sum != extent) fail(DBK_INVALID_ARGUMENT, "the extents in split add up to {}, the axis has {}", sum, extent);
}

// The extent of every part but the last.
int64_t even_part(const Infer& infer, int64_t parts, int64_t extent) {
  if (infer.version() >= 18) {
    const int64_t stated = infer.attrs().integer_or("num_outputs", 0);
    if (stated != parts)
      fail(DBK_INVALID_ARGUMENT, "neither split nor a num_outputs that fits is given: it is {}, the node has {} outputs",
           stated, parts);
  } else if (extent % parts != 0) {
    fail(DBK_INVALID_ARGUMENT, "extent {} of the axis is no multiple of {} outputs", extent, parts);
  }
  return (extent + parts - 1) / parts;
}

void infer(Infer& infer) {
  Shape shape = infer.shape(0);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), shape.rank());
  const int64_t extent = shape[axis], parts = static_cast<int64_t>(infer.output_count());
  const IntList list = list_of(infer, 1, "split");
  if (list.given() && infer.attrs().has("num_outputs"))
    fail(DBK_INVALID_ARGUMENT, "both split and num_outputs are given");
  if (list.given()) check_list(list, parts, extent);
  const int64_t even = list.given() ? 0 : even_part(infer, parts, extent);
  for (int64_t i = 0; i < parts; ++i) {
    shape[axis] = list.given() ? list[i] : std::clamp<int64_t>(extent - i * even, 0, even);
    infer.out(static_cast<size_t>(i), infer.in(0).dtype, shape);
  }
}

// Where part i begins along the axis. Parts that nobody wants have no type to tell their extent.
int64_t first_of(const Compute& c, int64_t i, int64_t extent) {
  const IntList list = list_of(c, 1, "split");
  const auto parts = static_cast<int64_t>(c.output_count());
  if (!list.given()) return std::min(i * ((extent + parts - 1) / parts), extent);
  int64_t first = 0;
  for (int64_t before = 0; before < i; ++before) first += list[before];
  return first;
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  const uint32_t axis = normalize_axis(c.attrs().integer("axis"), shape.rank());
  const Shape strides = dense_strides(shape);
  for (size_t i = 0; i < c.output_count(); ++i)
    if (c.wants(i)) copy_strided(c.in(0), first_of(c, static_cast<int64_t>(i), shape[axis]) * strides[axis], strides, c.out(i));
}

}  // namespace

extern constinit const HostOp host_split{MOVABLE, 1u << 1, infer, compute};

}  // namespace dbk
