// SpaceToDepth: blocks of space moved into channels, the place in the block being the outer part.
#include "host_fallback/space_and_depth.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& in = infer.shape(0);
  const int64_t b = block_size(infer);
  if (in[2] % b != 0 || in[3] % b != 0) fail(DBK_INVALID_ARGUMENT, "an image of {} by {} has no blocks of {}", in[2], in[3], b);
  infer.out(0, infer.in(0).dtype, {in[0], in[1] * b * b, in[2] / b, in[3] / b});
}

void compute(Compute& c) { copy_axes(c, space_to_depth_axes(c.attrs(), c.in(0).shape())); }

}  // namespace

SplitAxes space_to_depth_axes(const Attributes& attrs, const Shape& in) {
  const int64_t b = attrs.integer("blocksize"), plane = in[2] * in[3];
  return {{in[0], b, b, in[1], in[2] / b, in[3] / b}, {in[1] * plane, in[3], 1, plane, b * in[3], b}};
}

extern constinit const HostOp host_space_to_depth{MOVABLE, 0, infer, compute};

}  // namespace dbk
