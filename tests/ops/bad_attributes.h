// Attributes out of their domain: what they may be made of one case, whatever the op.
#pragma once

#include <string>
#include <vector>

#include "tests/ops/op_case.h"

namespace ops {

struct BadAttribute {
  std::string name;
  std::string shown;  // the value as a message has it
  OpCase test;        // with that value
  size_t length;      // of a list, else 0
  bool real;          // a float
};

// One after another every attribute that the schema of the case has and that is a number, a text or a list of them: numbers far outside,
// no numbers at all, a mode that nobody knows, lists that are too long or empty.
std::vector<BadAttribute> bad_attributes(const dbk::OpRow& row, const OpCase& test);

}  // namespace ops
