// Generator of WGSL for element-wise expressions: the functors of kernels/ under names of their own, and one function `value` that
// applies them in the order of the steps. Values are f32 (also for f16, which is rounded only when it is stored), i32 or bool.
// Compilers see all steps at once and may rewrite across them by rules that hold for real numbers alone: a + b - b as a, losing the rounding
// that a caller wants, NaN and infinities. So what one step computes goes into the arithmetic of another through a fence.
#pragma once

#include "host_fallback/expression.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

inline constexpr uint32_t kMaxExpressionOperands = 6;  // with the result 7 of the 8 storage bindings that every adapter has

// Empty, or why there is no text for it.
std::string refuse_expression(const Expression& expression, std::span<const DType> operands, const Capabilities& caps);

// What operand 0 is in a program: read from memory, or computed there, as the sum of a product is.
enum class FirstOperand : uint8_t { Read, Computed };

// Adds `fn value(x0, x1 ...)`, one parameter per operand, with all that it needs. The expression is not refused.
void add_expression(ProgramText& text, const Expression& expression, std::span<const DType> operands, FirstOperand first = FirstOperand::Read);

// WGSL type of a value in registers: "f32", "i32" or "bool".
std::string_view register_type(DType dtype);

// "add+gelu": the steps, for labels.
std::string expression_label(const Expression& expression);

}  // namespace dbk::gpu
