// Params of kernels that work on lines along one axis: [outer, length, inner].
#pragma once

#include "host_fallback/lines.h"
#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

struct LineParams {
  uint32_t rows, length, inner;
  float inner_inverse;
};
static_assert(sizeof(LineParams) == 16);

inline LineParams line_params(const Lines& lines) {
  return {to_u32(lines.count()), to_u32(lines.n), to_u32(lines.inner), inverse_of(lines.inner)};
}

}  // namespace dbk::gpu
