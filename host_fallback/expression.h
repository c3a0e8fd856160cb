// An element-wise expression: a chain, or a small DAG, of element-wise ops that runs as one. Passes make them; nodes carry them as
// an attribute. No arithmetic is defined here: steps are ops of the registry, so an expression means what its nodes meant. Since
// element-wise ops commute with broadcasting, every step may be evaluated at the coordinates of the result.
#pragma once

#include "host_fallback/registry.h"

namespace dbk {

struct Expression {
  static constexpr size_t kMaxOperands = 8, kMaxSteps = 32, kMaxInputs = 4;  // of the expression; of one step
  static constexpr uint32_t kAbsent = UINT32_MAX;                            // an optional input that is left out

  struct Step {
    const OpRow* op = nullptr;
    Attributes attrs;
    uint32_t version = 0;
    std::vector<uint32_t> inputs;  // below `operands`: that operand; else the result of step (input - operands), an earlier one
    std::string node;              // name of the node it came from
  };

  uint32_t operands = 0;
  std::vector<Step> steps;  // the last one is the result, and every operand and step reaches it

  const Step& last() const { return steps.back(); }
};

// The result's type, by the shape rules of the steps. Throws as they do, and UNIMPLEMENTED where a step has no host code for its type.
TensorType infer_expression(const Expression& expression, std::span<const TensorType> operands);

// Computes the result block by block with the steps' own functions, none of which may fail for operands of these types. An operand may be
// the result's memory where it has its type. Allocates nothing.
void evaluate(const Expression& expression, std::span<const Tensor> operands, Tensor& out);

}  // namespace dbk
