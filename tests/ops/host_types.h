// Types that ONNX allows against types that the host computes: each of them runs, or is listed here with the reason why not.
#pragma once

#include <string>
#include <vector>

#include "tests/ops/op_case.h"

namespace ops {

// One line for each type of an input that the host refuses though a schema allows it, and for each that is listed though the host takes
// it. The types of all inputs are tried, one type variable of the schema at a time, on the first case of the row.
std::vector<std::string> type_gaps(const dbk::OpRow& row, const OpCase& test);

}  // namespace ops
