// Elements of a tensor of any type as numbers, for people and for comparisons.
#pragma once

#include <string>
#include <vector>

#include "tensor.h"

namespace host {

// Complex numbers as two; integers beyond 2^53 lose their last bits. Not of strings.
std::vector<double> numbers_of(const Tensor& tensor);

bool is_float(uint32_t dtype);  // real or complex, of any size

struct NumberSummary {
  double min = 0, max = 0, mean = 0;  // of the finite ones, where there are any
  std::size_t finite = 0, nan = 0, infinite = 0;
};
NumberSummary summarize(const Tensor& tensor);  // as numbers_of has them, block by block: a large tensor is not held twice

}  // namespace host
