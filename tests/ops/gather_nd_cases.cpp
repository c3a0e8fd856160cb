// GatherND: coordinates of one to all axes, batches, negative ones, runs that fill 16 bytes and that do not, every type bit
// for bit. Indices out of range are tested with whole graphs (tests/graphs).
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase gather(const char* name, const Operand& data, const Operand& indices, int64_t batch = 0) {
  return OpCase(std::string(name) + " batch " + std::to_string(batch), {data, indices}, {{"batch_dims", batch}});
}

void add_shapes(Cases& cases, DType dtype) {
  const Operand data = bits(dtype, {3, 2, 4, 8});
  cases.push_back(gather("depth 1", data, list(DBK_I64, {4, 1}, {2, 0, -1, 1})));
  cases.push_back(gather("depth 2", data, list(DBK_I64, {2, 3, 2}, {2, 0, -3, 1, 0, -1})));
  cases.push_back(gather("depth 3", data, list(DBK_I64, {5, 3}, {2, 0, 3, -1, -2, -4})));
  cases.push_back(gather("depth 4", data, list(DBK_I64, {2, 4}, {2, 0, 3, -8, 0, 1, -4, 7})));
  cases.push_back(gather("one", data, list(DBK_I64, {2}, {2, 1})));
  cases.push_back(gather("batch", data, list(DBK_I64, {3, 2, 1}, {1, 0, -1}), 1));
  cases.push_back(gather("batches", data, list(DBK_I64, {3, 2, 2, 1}, {3, 0, -1}), 2));
  cases.push_back(gather("batches", data, list(DBK_I64, {3, 2, 1}, {3, 0, -1}), 2));
  cases.push_back(gather("none", data, list(DBK_I64, {0, 2}, {0})));
  cases.push_back(gather("empty runs", bits(dtype, {3, 0}), list(DBK_I64, {2, 1}, {1})));
  for (int64_t size : kSizes) {
    cases.push_back(gather("tuples", bits(dtype, {11, 3}), tensor(DBK_I64, {size, 1}).within(-11, 10)));
    cases.push_back(gather("width", bits(dtype, {5, size}), list(DBK_I64, {3, 1}, {4, -5, 2})));
  }
}

}  // namespace

Cases gather_nd_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    add_shapes(cases, dtype);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
      cases.push_back(gather("layout", bits(dtype, {3, 5, 7}).in(layout), list(DBK_I64, {2, 2}, {2, 0, -3, 4}).in(layout)));
  }
  for (DType dtype : dtypes_of(row, 0))
    cases.push_back(gather("dtype", bits(dtype, {5, 7}), list(DBK_I64, {3, 1}, {4, 0, -2})));
  cases.push_back(gather("weight", bits(DBK_F32, {9, 4}).as(Origin::Param), list(DBK_I64, {3, 1}, {8, -9, 1}).as(Origin::Const)));
  cases.push_back(gather("grid", bits(DBK_F16, {257, 61}), tensor(DBK_I64, {70001, 1}).within(-257, 256)));
  return cases;
}

}  // namespace ops
