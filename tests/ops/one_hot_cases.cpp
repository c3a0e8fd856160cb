// OneHot: every place of the new axis, indices and values of many types, indices out of range.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases one_hot_cases(const dbk::OpRow& row) {
  Cases cases;
  const auto add = [&](const char* name, const Operand& indices, int64_t depth, DType values, int64_t axis) {
    const Operand pair = tensor(values, {2});
    cases.push_back(OpCase(std::string(name) + " axis " + std::to_string(axis), {indices, integers({depth}), pair}, {{"axis", axis}}));
  };
  for (DType dtype : dtypes_of(row, 0)) add("dtype", list(dtype, {7}, {0, 4, 2, 9, 1}), 5, DBK_F32, -1);
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_BOOL}) add("values", list(DBK_I64, {7}, {0, -4, 2, 9, -1}), 4, dtype, -1);
  for (int64_t axis : {0, 1, 2, -1, -3}) add("axes", list(DBK_I64, {3, 5}, {0, -4, 2, 9, -1, 3}), 4, DBK_F32, axis);
  for (DType dtype : {DBK_U32, DBK_U64, DBK_U8}) add("far", list(dtype, {5}, {-1, 2, 255, -4, 0}), 4, DBK_F32, -1);  // unsigned ones never count back
  for (DType dtype : {DBK_F16, DBK_I8, DBK_U64}) {  // depth and values of the same type
    cases.push_back(OpCase("one type", {list(dtype, {5}, {0, 2, 1, 2, 9}), integers({3}, dtype), bits(dtype, {2})}));
  }
  add("scalar", list(DBK_I64, {}, {2}), 4, DBK_F32, -1);
  add("nothing", list(DBK_I64, {0, 3}, {2}), 4, DBK_F32, 1);
  add("no places", list(DBK_I64, {3}, {0}), 0, DBK_F32, -1);
  return cases;
}

}  // namespace ops
