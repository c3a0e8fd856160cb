// CenterCropPad: axes are cut or filled up with zeros to the given extents, evenly on both sides; the odd element is behind. Pad with pads that the
// shapes tell.
#include "host_fallback/pad.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  Shape out = infer.shape(0);
  const Tensor& shape = infer.value(1);
  const IntList axes = attribute_list(infer.attrs(), "axes");
  const int64_t count = axes.given() ? axes.size() : out.rank();
  if (axes.given()) axis_bits(axes, out.rank());
  if (shape.count() != count) fail(DBK_INVALID_ARGUMENT, "shape has {} numbers for {} axes", shape.count(), count);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t extent = integer_at(shape, i);
    if (extent < 0) fail(DBK_INVALID_ARGUMENT, "shape has {}", extent);
    out[normalize_axis(axes.given() ? axes[i] : i, out.rank(), "axes: axis")] = extent;
  }
  infer.out(0, infer.in(0).dtype, out);
}

void compute(Compute& c) { compute_pad(c, centred_pads(c.in(0).shape(), c.out(0).shape()), PadMode::Constant); }

}  // namespace

extern constinit const HostOp host_center_crop_pad{MOVABLE, 0b10, infer, compute};

}  // namespace dbk
