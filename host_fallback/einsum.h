// Einstein's notation: which index of the equation each axis has, and with shapes every index as an axis, along which each operand has a
// stride.
#pragma once

#include <span>
#include <string_view>

#include "host_fallback/shape.h"

namespace dbk {

inline constexpr size_t kMaxEinsumOperands = 8;  // inference refuses more

// An index is a number: that of its letter, or behind those the axis of "...", counted from the last.
using EinsumIndex = uint8_t;
inline constexpr uint32_t kEinsumLetters = 52, kEinsumIndices = kEinsumLetters + DBK_MAX_RANK;

struct EinsumTerm {
  uint32_t rank = 0;
  EinsumIndex axes[DBK_MAX_RANK];
  std::span<const EinsumIndex> indices() const { return {axes, rank}; }
};
struct EinsumTerms {
  EinsumTerm operands[kMaxEinsumOperands], output;
};

// Throws INVALID_ARGUMENT naming what does not fit. Allocates nothing.
EinsumTerms read_einsum(std::string_view equation, std::span<const uint32_t> ranks);

struct EinsumPlan {
  Shape out, summed;                           // extents of the output's axes, and of those that are summed over
  Shape out_strides[kMaxEinsumOperands];       // of each operand along them, 0 where it lacks the index
  Shape summed_strides[kMaxEinsumOperands];
};

// The same for extents.
EinsumPlan plan_einsum(std::string_view equation, std::span<const Shape* const> operands);

}  // namespace dbk
