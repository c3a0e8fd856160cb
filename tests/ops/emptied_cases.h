// Cases in which extents became 0.
#pragma once

#include "tests/ops/op_case.h"

namespace ops {

struct EmptiedCase {
  OpCase test;
  bool agrees;  // the extent became 0 wherever an operand has it, so that extents which have to be equal still are
};

// Of one case: 0 in place of one extent of one operand, and of one extent of all. Operands that steer shapes stay as they are.
std::vector<EmptiedCase> emptied_cases(const dbk::OpRow& row, const OpCase& test);

}  // namespace ops
