// Element-wise ops of one operand whose results are bools: sizes around the four of a word, special numbers, the
// attributes of IsInf.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases predicate_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    for (int64_t size : kSizes) cases.emplace_back("size", std::vector{tensor(dtype, {size})});
    for (const Shape& shape : ranked_shapes()) cases.emplace_back("rank", std::vector{tensor(dtype, shape)});
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.emplace_back("layout", std::vector{tensor(dtype, {3, 5, 7}).in(layout)});
    cases.emplace_back("weight", std::vector{tensor(dtype, {3, 5}).as(Origin::Param)});
    if (row.id == "not") cases.emplace_back("grid", std::vector{tensor(dtype, {kOverVectorGrid})});
  }
  if (row.id != "not")
    for (DType dtype : {DBK_F8_E4M3FN, DBK_F8_E4M3FNUZ, DBK_F8_E5M2, DBK_F8_E5M2FNUZ}) cases.emplace_back("all", std::vector{sweep(dtype, 256)});
  for (DType dtype : dtypes_of(row, 0)) {
    cases.emplace_back("dtype", std::vector{tensor(dtype, {3, 5})});
    if (!is_float(dtype)) continue;
    const std::vector<double> values = special_reals();
    const Operand specials = reals(dtype, {static_cast<int64_t>(values.size())}, values);
    cases.emplace_back("specials", std::vector{specials});
    cases.emplace_back("all", std::vector{sweep(dtype, 1 << 18)});
    if (row.id != "is_inf") continue;
    for (int64_t negative : {0, 1})
      for (int64_t positive : {0, 1})
        cases.emplace_back("signs", std::vector{specials},
                           std::vector<dbk::Attribute>{{"detect_negative", negative}, {"detect_positive", positive}});
  }
  return cases;
}

}  // namespace ops
