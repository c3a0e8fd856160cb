// BatchNormalization: every rank, sizes around a workgroup, statistics of another type, data far from 0; training.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase normalise(const char* name, const Operand& x, DType factors, DType moments, Origin origin = Origin::Param) {
  const Shape channels{x.shape.rank() > 1 ? x.shape[1] : 1};
  const double middle = x.low != 0 ? (x.low + x.high) / 2 : 0;
  return {name,
          {x, tensor(factors, channels).within(-2, 3).as(origin), tensor(factors, channels).within(-5, 4).as(origin),
           tensor(moments, channels).within(middle - 1, middle + 2).as(origin),
           tensor(moments, channels).within(0.25, 4).as(origin)},
          {{"epsilon", 1e-3}}};
}

OpCase train(const char* name, const Operand& x, DType moments, std::vector<bool> wanted = {true, true, true}) {
  OpCase test = normalise(name, x, x.dtype, moments).wanting(std::move(wanted));
  test.attrs.set("training_mode", int64_t{1});
  test.attrs.set("momentum", 0.75);
  return test;
}

OpCase normalise(const char* name, const Operand& x) { return normalise(name, x, x.dtype, x.dtype); }

}  // namespace

Cases batch_normalization_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    for (const Shape& shape : {Shape{1}, Shape{65}, Shape{3, 5}, Shape{2, 3, 63}, Shape{2, 3, 64}, Shape{1, 5, 13, 5},
                               Shape{2, 4, 3, 5, 7}, Shape{2, 3, 2, 2, 2, 2}, Shape{0, 3, 4}, Shape{2, 3, 0}, Shape{2, 0, 4},
                               Shape{65537, 2, 33}})
      cases.push_back(normalise("shape", tensor(dtype, shape)));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(normalise("layout", tensor(dtype, {2, 3, 5, 7}).in(layout)));
    cases.push_back(normalise("inputs", tensor(dtype, {2, 3, 5}), dtype, dtype, Origin::Input));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(normalise("dtype", tensor(dtype, {2, 3, 5})));
    cases.push_back(normalise("far from 0", tensor(dtype, {2, 3, 5}).within(1000, 1003)));
    for (const Shape& shape : {Shape{5}, Shape{3, 5}, Shape{2, 3, 63}, Shape{1, 3, 1}, Shape{2, 3, 5, 7}, Shape{2, 0, 4}, Shape{0, 3, 4}, Shape{300, 2, 65},
                               Shape{2, 70, 3}, Shape{1, 1, 9001}})
      cases.push_back(train("training", tensor(dtype, shape), dtype));
    cases.push_back(train("training far from 0", tensor(dtype, {4, 3, 5}).within(1000, 1003), DBK_F32));
    cases.push_back(train("training, moments alone", tensor(dtype, {2, 3, 5}), dtype, {false, true, true}));
    cases.push_back(train("training, result alone", tensor(dtype, {2, 3, 5}), dtype, {true}));
    cases.push_back(normalise("mixed", tensor(dtype, {2, 3, 5}), DBK_F32, DBK_F32));
    cases.push_back(normalise("mixed", tensor(dtype, {2, 3, 5}), dtype, DBK_F32));
  }
  cases.push_back(normalise("mixed", tensor(DBK_F32, {2, 3, 5}), DBK_F16, DBK_F16));
  cases.push_back(normalise("double statistics", tensor(DBK_F32, {2, 3, 5}), DBK_F32, DBK_F64).at(Place::Host));
  cases.push_back(normalise("opset 9", tensor(DBK_F32, {2, 3, 5})).with_opset(9));
  return cases;
}

}  // namespace ops
