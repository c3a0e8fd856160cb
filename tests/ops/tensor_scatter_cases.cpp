// TensorScatter: every axis but the batch's, updates of all lengths, from the first position, from one of each batch, around the end;
// every type bit for bit. Write indices out of range are tested with whole graphs (tests/graphs).
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase scatter(const char* name, const Operand& cache, int64_t axis, int64_t length, std::vector<int64_t> starts = {}, const char* mode = "linear") {
  Shape shape = cache.shape;
  shape[static_cast<size_t>(axis < 0 ? axis + shape.rank() : axis)] = length;
  std::vector<Operand> in{cache, bits(cache.dtype, shape)};
  if (!starts.empty()) in.push_back(list(DBK_I64, {cache.shape[0]}, starts));
  return OpCase(std::format("{} {} axis {} {}", name, mode, axis, describe(in)), in, {{"axis", axis}, {"mode", std::string(mode)}}).with_opset(24);
}

void add_shapes(Cases& cases, DType dtype) {
  const Operand cache = bits(dtype, {3, 2, 9, 4});
  for (int64_t length : {0, 1, 2, 9}) {
    cases.push_back(scatter("start", cache, -2, length));
    cases.push_back(scatter("zero", cache, -2, length, {0}));
    cases.push_back(scatter("around", cache, -2, length, {8, 3, 100}, "circular"));
  }
  cases.push_back(scatter("starts", cache, 2, 3, {6, 0, 4}));
  cases.push_back(scatter("last axis", cache, 3, 2, {2, 1, 0}));
  cases.push_back(scatter("axis 1", cache, 1, 1, {1, 0, 1}));
  cases.push_back(scatter("around", cache, 1, 2, {1, 0, 7}, "circular"));
  cases.push_back(scatter("matrix", bits(dtype, {5, 65}), -1, 7, {0, 58, 3, 4, 20}));
  cases.push_back(scatter("empty", bits(dtype, {0, 4, 3}), -2, 1));
  cases.push_back(scatter("no columns", bits(dtype, {2, 4, 0}), -2, 1));
}

}  // namespace

Cases tensor_scatter_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_BF16}) add_shapes(cases, dtype);
  for (DType dtype : dtypes_of(row, 0, 24)) cases.push_back(scatter("dtype", bits(dtype, {2, 5, 3}), -2, 2, {1, 3}));
  for (DType dtype : {DBK_I4, DBK_U4, DBK_F4_E2M1FN}) cases.push_back(scatter("packed", bits(dtype, {2, 5, 3}), -2, 2, {1, 3}));
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
    cases.push_back(scatter(name_of(layout), bits(DBK_F32, {2, 5, 3}).in(layout), -2, 2, {1, 3}));
  return cases;
}

}  // namespace ops
