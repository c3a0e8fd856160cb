// Concat: one to five inputs, some of them empty, along every axis, and every type bit for bit.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase concat(const char* name, const std::vector<Operand>& inputs, int64_t axis) {
  return OpCase(std::string(name) + " axis " + std::to_string(axis), inputs, {{"axis", axis}});
}

// Inputs of shape `base` but for the extents along `axis`.
OpCase joined(const char* name, DType dtype, Shape base, int64_t axis, const std::vector<int64_t>& extents) {
  std::vector<Operand> inputs;
  const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(base.rank()) : axis);
  for (int64_t extent : extents) {
    base[at] = extent;
    inputs.push_back(bits(dtype, base));
  }
  return concat(name, inputs, axis);
}

void add_counts(Cases& cases, DType dtype) {
  for (int64_t axis : {0, 1, 2, -1, -3}) {
    cases.push_back(joined("one", dtype, {3, 5, 7}, axis, {4}));
    cases.push_back(joined("two", dtype, {3, 5, 7}, axis, {4, 1}));
    cases.push_back(joined("three", dtype, {3, 5, 7}, axis, {1, 0, 5}));
    cases.push_back(joined("five", dtype, {3, 5, 7}, axis, {2, 3, 1, 0, 65}));
  }
  cases.push_back(joined("empty first", dtype, {0, 4}, 0, {0, 3, 2}));
  cases.push_back(joined("all empty", dtype, {0, 4}, 0, {0, 0}));
  cases.push_back(joined("empty", dtype, {3, 0}, 0, {3, 2}));
  cases.push_back(joined("vectors", dtype, {1}, 0, {1, 1, 1, 1, 1}));
  cases.push_back(joined("rank 6", dtype, {2, 3, 1, 2, 2, 3}, 3, {2, 1, 3}));
  for (int64_t size : kSizes) cases.push_back(joined("size", dtype, {2, 1}, 1, {size, 3}));
}

}  // namespace

Cases concat_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    add_counts(cases, dtype);
    using enum Layout;
    for (const auto& [a, b] :
         {std::pair{Unaligned, Unaligned}, {Transposed, Dense}, {Sliced, Reversed}, {Repeated, Sliced}})
      cases.push_back(concat("layout", {bits(dtype, {3, 5, 7}).in(a), bits(dtype, {3, 2, 7}).in(b)}, 1));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(joined("dtype", dtype, {3, 5}, 1, {5, 2}));
    if (!is_float(dtype)) continue;
    const std::vector<double> values = special_reals();
    cases.push_back(concat("specials", {reals(dtype, {33}, values), reals(dtype, {7}, {1.5})}, 0));
  }
  cases.push_back(concat(
      "weights",
      {bits(DBK_F32, {1, 5}).as(Origin::Param), bits(DBK_F32, {3, 5}), bits(DBK_F32, {2, 5}).as(Origin::Const)}, 0));
  cases.push_back(joined("grid", DBK_F16, {1, 61}, 0, {70001, 1}));
  cases.push_back(joined("grid", DBK_I32, {70001, 1}, 1, {61, 2}));
  return cases;
}

}  // namespace ops
