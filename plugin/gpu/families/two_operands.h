// What families of two broadcast operands share, and the relatives of the family `binary` that it hands nodes to.
#pragma once

#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

extern const Family kMixedPower;  // Pow with an exponent of another type
extern const Family kMeanOfMany;  // Mean of more than two operands

struct StridedParams {  // kernels/_binary_strided.wgsl; dimensions follow
  uint32_t count, pad[3];
};
static_assert(sizeof(StridedParams) == 16);

// One operand alone is both.
inline uint32_t second(const TypedNode& node) { return node.has(1) ? 1 : 0; }

inline StridedLoop<2> broadcast_loop(const TypedNode& node) {
  const Shape& out = node.outputs[0].shape;
  return {out, {broadcast_strides(node.inputs[0].shape, out), broadcast_strides(node.inputs[second(node)].shape, out)}};
}

}  // namespace dbk::gpu
