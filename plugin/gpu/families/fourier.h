// Fourier transforms of complex lines in scratch memory, which DFT and STFT share: kernels/dft, a dispatch per pass of Stockham's
// transform. Lengths have factors of up to kLargestRadix; roots of unity travel in the params.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

inline constexpr int64_t kRoots = 1024;
inline constexpr int64_t kLongestLine = kRoots * kRoots;
inline constexpr int64_t kLargestRadix = kRoots;

// Empty, or why lines of that many numbers have no kernel.
std::string refuse_lines(int64_t lines, int64_t length, const Capabilities& caps);

// Programs 0 to kFourierPrograms - 1 of a node.
inline constexpr uint32_t kFourierPrograms = 5;
void fourier_programs(std::vector<Program>& out);

// The two memories that passes alternate between: complex f32 [lines, length].
Argument lines_in(uint32_t index, int64_t lines, int64_t length);

// Transforms lines_in(0); returns which memory holds the result.
uint32_t push_passes(int64_t lines, int64_t length, bool inverse, const Capabilities& caps, std::vector<Dispatch>& out);

// The programs that bring lines into a tensor [outer, bins, inner, parts] of elements `dtype`, and its dispatch.
void add_store_program(DType dtype, uint32_t parts, std::vector<Program>& out);

// kernels/dft/lines.wgsl
struct LineParams {
  uint32_t count, n, extent, inner;
  float n_inverse, extent_inverse, inner_inverse, scale;
  LineParams(int64_t numbers, int64_t length, int64_t along, int64_t within, double factor);
};
static_assert(sizeof(LineParams) == 32);

}  // namespace dbk::gpu
