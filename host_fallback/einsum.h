// Einstein's notation, resolved: every index of the equation is an axis, and each operand has a stride along it.
#pragma once

#include <span>
#include <string_view>

#include "host_fallback/shape.h"

namespace dbk {

inline constexpr size_t kMaxEinsumOperands = 8;

struct EinsumPlan {
  Shape out, summed;                           // extents of the output's axes, and of those that are summed over
  Shape out_strides[kMaxEinsumOperands];       // of each operand along them, 0 where it lacks the index
  Shape summed_strides[kMaxEinsumOperands];
};

// Throws INVALID_ARGUMENT naming what does not fit. Allocates nothing.
EinsumPlan plan_einsum(std::string_view equation, std::span<const Shape* const> operands);

}  // namespace dbk
