// Elements of operands. Each case has a seed of its own, made from the suite's seed and the case's name, so that one
// case run alone sees the same numbers. DAYBREAK_TEST_SEED replaces the suite's seed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/ops/op_case.h"

namespace ops {

uint64_t suite_seed();

// The operands of a case, dense. An absent operand is a tensor of dtype NONE.
std::vector<dbk::HostTensor> make_inputs(const dbk::OpRow& row, const OpCase& test);

double element(const dbk::HostTensor& tensor, int64_t i);
std::vector<double> numbers(const dbk::HostTensor& tensor);

}  // namespace ops
