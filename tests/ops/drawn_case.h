// Cases drawn at random: a row of a family that has a rule here, with a type, shapes, axes, broadcasts, attributes and layouts of
// its operands. What tables of awkward sizes leave out is the combinations; this finds those.
#pragma once

#include "tests/ops/op_case.h"

namespace ops {

struct DrawnCase {
  const dbk::OpRow* row;
  OpCase test;  // named after its number
};

// The same seed and number give the same case, on every machine.
DrawnCase draw_case(uint64_t seed, uint64_t number);

}  // namespace ops
