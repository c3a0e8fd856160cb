// Collapsed dimensions of a kernel that walks operands by strides: at most 8, innermost first, with 1 / extent for the
// kernels' exact division (kernels/_divide.wgsl). Their number is a constant of the program, so that its loop over them
// is unrolled; a launch that has fewer fills up with dimensions of one.
#pragma once

#include "host_fallback/strided.h"
#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

inline constexpr uint32_t kMaxDims = 8;

// Dimensions that a program for tensors of `rank` walks.
inline uint32_t dims_for(uint32_t rank) { return std::clamp(rank, 1u, kMaxDims); }

template <size_t N>
std::string refuse_rank(const StridedLoop<N>& loop) {
  if (loop.extent.rank() <= kMaxDims) return {};
  return std::format("{} dimensions remain after merging, and kernels walk {}", loop.extent.rank(), kMaxDims);
}

// extent, inverse and the strides of N operands, padded as WGSL pads its twin.
template <size_t N>
struct alignas(16) StrideDim {
  uint32_t extent = 1;
  float inverse = 1;
  uint32_t strides[N] = {};
};
static_assert(sizeof(StrideDim<1>) == 16 && sizeof(StrideDim<2>) == 16 && sizeof(StrideDim<3>) == 32);

// Appends `dims` dimensions behind the fixed part of the params.
template <size_t N>
void append_dims(std::vector<std::byte>& params, const StridedLoop<N>& loop, uint32_t dims) {
  const uint32_t rank = loop.extent.rank();
  if (rank > dims) fail(DBK_UNIMPLEMENTED, "{} dimensions remain after merging, and the kernel walks {}", rank, dims);
  for (uint32_t d = 0; d < dims; ++d) {
    StrideDim<N> dim;
    if (d < rank) {
      const uint32_t axis = rank - 1 - d;
      dim.extent = to_u32(loop.extent[axis]);
      dim.inverse = inverse_of(loop.extent[axis]);
      for (size_t k = 0; k < N; ++k) dim.strides[k] = to_u32(loop.strides[k][axis]);
    }
    const std::vector<std::byte> bytes = to_params(dim);
    params.insert(params.end(), bytes.begin(), bytes.end());
  }
}

}  // namespace dbk::gpu
