// Expand: the input repeated along axes of extent 1, to the shape that broadcasting it with `shape` gives.
#include "host_fallback/copy_strided.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Tensor& wanted = infer.value(1);
  if (wanted.shape().rank() != 1) fail(DBK_INVALID_ARGUMENT, "shape has rank {}, not 1", wanted.shape().rank());
  Shape shape;
  for (int64_t i = 0, n = wanted.count(); i < n; ++i) {
    shape.push_back(integer_at(wanted, i));
    if (shape[static_cast<size_t>(i)] < 0) fail(DBK_INVALID_ARGUMENT, "shape has {} at {}", integer_at(wanted, i), i);
  }
  infer.out(0, infer.in(0).dtype, broadcast(infer.shape(0), shape));
}

void compute(Compute& c) {
  const Shape& shape = c.out(0).shape();
  copy_strided(c.in(0), 0, broadcast_strides(c.in(0).shape(), shape), c.out(0));
}

}  // namespace

extern constinit const HostOp host_expand{MOVABLE, 1u << 1, infer, compute};

}  // namespace dbk
