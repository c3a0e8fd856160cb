// An operand of the `coop` kernels: vectors along k, rows of A or columns of B, one after the other, each filled up with zeros to a
// multiple of kOperandDepth, their number to a multiple that the kernel's tile asks for. Behind all elements come the exponents, one per
// vector. Each vector is scaled by a power of two, 2^-exponent, so that its largest finite element lies just below 2^operand_top: no
// operand overflows f16, and what is lost below it is small beside the vector's largest. NaN and infinities stay what they are.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "plugin/gpu/family.h"

namespace dbk::gpu {

inline constexpr int64_t kOperandDepth = 32;    // every configuration's k divides it
inline constexpr int32_t kMostExponent = 120;   // of a scale, so that it and its inverse are normal numbers of f32

// Sums of f16 products: the closer to the top of f16, the less gets lost below. Sums in f16 must not overflow: elements are under 1.
inline int32_t operand_top(OperandForm form) { return form == OperandForm::F16 ? 15 : 0; }
inline uint32_t operand_bytes(OperandForm form) { return form == OperandForm::F32 ? 4 : 2; }

// The exponent of a vector's scale, as kernels/matmul/operand.wgsl has it.
inline int32_t operand_exponent(std::span<const float> vector, OperandForm form) {
  uint32_t most = 0;
  for (float x : vector)
    if (std::isfinite(x)) most = std::max(most, std::bit_cast<uint32_t>(x) & 0x7fffffffu);
  return most == 0 ? 0 : std::clamp(static_cast<int32_t>(most >> 23) - 126 - operand_top(form), -kMostExponent, kMostExponent);
}

struct OperandLayout {
  int64_t matrices, vectors, depth;  // as given
  int64_t padded_vectors, padded_depth;

  OperandLayout(int64_t count, int64_t rows, int64_t k, int64_t multiple)
      : matrices(count), vectors(rows), depth(k), padded_vectors((rows + multiple - 1) / multiple * multiple),
        padded_depth(std::max<int64_t>((k + kOperandDepth - 1) / kOperandDepth, 1) * kOperandDepth) {}
  int64_t elements() const { return matrices * padded_vectors * padded_depth; }  // and the first exponent
  uint64_t bytes(OperandForm form) const { return static_cast<uint64_t>(elements() + matrices * padded_vectors) * operand_bytes(form); }
};

}  // namespace dbk::gpu
