// Inverse: matrices of all small orders, batches, one that needs its rows exchanged, none at all.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases inverse_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0)) {
    for (int64_t n : {1, 2, 3, 4, 7, 33}) cases.push_back(OpCase(std::format("{} order {}", dbk::to_string(dtype), n), {tensor(dtype, {2, n, n})}));
    cases.push_back(OpCase(std::format("{} batches", dbk::to_string(dtype)), {tensor(dtype, {2, 3, 4, 4})}));
    cases.push_back(OpCase(std::format("{} none", dbk::to_string(dtype)), {tensor(dtype, {0, 3, 3})}));
    cases.push_back(OpCase(std::format("{} no rows", dbk::to_string(dtype)), {tensor(dtype, {2, 0, 0})}));
    cases.push_back(OpCase(std::format("{} exchange", dbk::to_string(dtype)), {reals(dtype, {3, 3}, {0, 2, 1, 1, 0, 0, 3, 0, 1})}));
  }
  return cases;
}

}  // namespace ops
