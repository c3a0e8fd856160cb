// An operand of the `coop` kernels: vectors along k, rows of A or columns of B, one after the other, each filled up with zeros to a
// multiple of kOperandDepth, their number to a multiple that the kernel's tile asks for. Behind all elements comes a number for each
// vector: of bytes their sum, else an exponent. Each vector of floats is scaled by a power of two, 2^-exponent, so that its largest finite element lies just below 2^operand_top: no
// operand overflows f16, and what is lost below it is small beside the vector's largest. NaN and infinities stay what they are.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <tuple>

#include "plugin/gpu/family.h"

namespace dbk::gpu {

inline constexpr int64_t kOperandDepth = 32;    // every configuration's k divides it
inline constexpr int32_t kMostExponent = 120;   // of a scale, so that it and its inverse are normal numbers of f32

// Sums of f16 products: the closer to the top of f16, the less gets lost below. Sums in f16 must not overflow: elements are under 1.
inline int32_t operand_top(OperandForm form) { return form == OperandForm::F16 ? 15 : 0; }
inline bool of_bytes(OperandForm form) { return form == OperandForm::I8 || form == OperandForm::U8; }
inline uint32_t operand_bytes(OperandForm form) { return of_bytes(form) ? 1 : form == OperandForm::F32 ? 4 : 2; }
inline uint32_t number_bytes(OperandForm form) { return of_bytes(form) ? 4 : operand_bytes(form); }

// Whether bytes have to change between signed and unsigned, which turns their highest bit over.
inline bool flips(DType dtype, OperandForm form) { return (dtype == DBK_U8) != (form == OperandForm::U8); }

// The exponent of a vector's scale, as kernels/matmul/operand.wgsl has it.
inline int32_t operand_exponent(std::span<const float> vector, OperandForm form) {
  uint32_t most = 0;
  for (float x : vector)
    if (std::isfinite(x)) most = std::max(most, std::bit_cast<uint32_t>(x) & 0x7fffffffu);
  return most == 0 ? 0 : std::clamp(static_cast<int32_t>(most >> 23) - 126 - operand_top(form), -kMostExponent, kMostExponent);
}

// How operands are stored for an adapter's matrices; None for those that no kernel uses.
inline OperandForm form_of(const MatrixConfig& c) {
  constexpr std::tuple<std::string_view, std::string_view, OperandForm> kUsed[] = {
      {"f16", "f32", OperandForm::F16}, {"f16", "f16", OperandForm::F16Sums}, {"f32", "f32", OperandForm::F32},
      {"i8", "i32", OperandForm::I8},   {"u8", "u32", OperandForm::U8}};
  for (const auto& [component, result, form] : kUsed) {
    const bool whole_words = !of_bytes(form) || c.k % 4 == 0;
    if (c.component == component && c.result == result && kOperandDepth % c.k == 0 && whole_words) return form;
  }
  return OperandForm::None;
}

struct OperandLayout {
  int64_t matrices, vectors, depth;  // as given
  int64_t padded_vectors, padded_depth;

  OperandLayout(int64_t count, int64_t rows, int64_t k, int64_t multiple)
      : matrices(count), vectors(rows), depth(k), padded_vectors((rows + multiple - 1) / multiple * multiple),
        padded_depth(std::max<int64_t>((k + kOperandDepth - 1) / kOperandDepth, 1) * kOperandDepth) {}
  int64_t elements() const { return matrices * padded_vectors * padded_depth; }  // numbers of vectors come behind them
  uint64_t bytes(OperandForm form) const {
    return static_cast<uint64_t>(elements()) * operand_bytes(form) + static_cast<uint64_t>(matrices * padded_vectors) * number_bytes(form);
  }
};

}  // namespace dbk::gpu
