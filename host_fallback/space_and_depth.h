// DepthToSpace and SpaceToDepth: copies of images [N, C, H, W] whose axes are split and reordered.
#pragma once

#include "host_fallback/copy_strided.h"
#include "host_fallback/op.h"

namespace dbk {

// The output's elements in order, as six axes; strides are those of the input.
struct SplitAxes {
  Shape extents, strides;
};
SplitAxes depth_to_space_axes(const Attributes& attrs, const Shape& in);
SplitAxes space_to_depth_axes(const Attributes& attrs, const Shape& in);

// Checks rank and attribute.
inline int64_t block_size(const Infer& infer) {
  const int64_t size = infer.attrs().integer("blocksize");
  if (infer.shape(0).rank() != 4) fail(DBK_INVALID_ARGUMENT, "the input has rank {}, not 4", infer.shape(0).rank());
  if (size < 1 || size > 1 << 20) fail(DBK_INVALID_ARGUMENT, "blocksize is {}", size);
  return size;
}

inline void copy_axes(Compute& c, const SplitAxes& axes) {
  Tensor out{{c.out(0).type.dtype, axes.extents}, c.out(0).data};
  copy_strided(c.in(0), 0, axes.strides, out);
}

}  // namespace dbk
