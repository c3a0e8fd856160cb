// Compress: the slices along `axis`, or without one the elements, that a list of bools selects. The list may be shorter than the axis:
// what it does not reach is left out.
#include "host_fallback/movement.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

// The input as [outer, extent, inner]; flat where no axis is given.
struct Extents {
  int64_t outer = 1, extent = 1, inner = 1;
};

Extents extents_of(const Attributes& attrs, const Shape& shape) {
  if (!attrs.has("axis")) return {1, shape.count(), 1};
  const uint32_t axis = normalize_axis(attrs.integer("axis"), shape.rank());
  Extents e;
  for (uint32_t d = 0; d < shape.rank(); ++d) (d < axis ? e.outer : d > axis ? e.inner : e.extent) *= shape[d];
  return e;
}

int64_t selected(const Tensor& condition, int64_t extent) {
  int64_t count = 0;
  for (int64_t i = 0, n = condition.count(); i < n; ++i) {
    if (!condition.as<Bool>()[i]) continue;
    if (i >= extent) fail(DBK_OUT_OF_RANGE, "condition selects position {}, the extent being {}", i, extent);
    ++count;
  }
  return count;
}

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  if (infer.shape(1).rank() != 1) fail(DBK_INVALID_ARGUMENT, "condition has rank {}, not 1", infer.shape(1).rank());
  const int64_t count = selected(infer.value(1), extents_of(infer.attrs(), shape).extent);
  Shape out{count};
  if (infer.attrs().has("axis")) {
    out = shape;
    out[normalize_axis(infer.attrs().integer("axis"), shape.rank())] = count;
  }
  infer.out(0, infer.in(0).dtype, out);
}

void compute(Compute& c) {
  const Extents e = extents_of(c.attrs(), c.in(0).shape());
  const int64_t reach = std::min(e.extent, c.in(1).count());
  with_element_size(c.in(0).type.dtype, [&]<class E>() {
    const E* in = c.in(0).as<E>();
    E* out = c.out(0).as<E>();
    for (int64_t o = 0; o < e.outer; ++o)
      for (int64_t i = 0; i < reach; ++i) {
        if (!c.in(1).as<Bool>()[i]) continue;
        out = std::copy_n(in + (o * e.extent + i) * e.inner, e.inner, out);
      }
  });
}

}  // namespace

extern constinit const HostOp host_compress{MOVABLE, 0, infer, compute};

}  // namespace dbk
