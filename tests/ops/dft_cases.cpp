// DFT: lengths from 1 to beyond one table of roots, with all kinds of factors, every axis, real and complex, both directions, half of a spectrum
// out and in, signals that are cut or filled up.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase dft(const char* name, const Operand& x, int64_t inverse = 0, int64_t onesided = 0, const Operand& length = absent, int64_t axis = -2) {
  return OpCase(std::string(name) + (inverse ? " inverse" : "") + (onesided ? " onesided" : ""), {x, length, list(DBK_I64, {}, {axis}).as(Origin::Const)},
                {{"inverse", inverse}, {"onesided", onesided}});
}

Operand scalar(int64_t value) { return list(DBK_I64, {}, {value}).as(Origin::Const); }

void add_lengths(Cases& cases, DType dtype) {
  for (int64_t inverse : {0, 1})
    for (int64_t parts : {1, 2}) {
      for (int64_t length : {1, 2, 4, 8, 16, 64, 128, 1024, 4096}) cases.push_back(dft("power", tensor(dtype, {3, length, parts}), inverse));
      for (int64_t length : {3, 5, 7, 12, 17, 60, 101, 1000}) cases.push_back(dft("length", tensor(dtype, {2, length, parts}), inverse));
    }
  for (int64_t length : {1, 2, 8, 32}) cases.push_back(dft("half", tensor(dtype, {3, length, 1}), 0, 1));
  for (int64_t length : {3, 9, 10}) cases.push_back(dft("half", tensor(dtype, {3, length, 1}), 0, 1));
  for (int64_t length : {2, 3, 5, 9}) cases.push_back(dft("half in", tensor(dtype, {3, length, 2}), 1, 1));
  cases.push_back(dft("half in, odd", tensor(dtype, {3, 5, 2}), 1, 1, scalar(9)));
  for (int64_t length : {8, 16, 32}) cases.push_back(dft("cut or filled", tensor(dtype, {2, 20, 2}), 0, 0, scalar(length)));
  cases.push_back(dft("filled", tensor(dtype, {2, 20, 2}), 1, 0, scalar(21)));
}

}  // namespace

Cases dft_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16}) {
    add_lengths(cases, dtype);
    for (int64_t axis : {0, 1, 2, -2, -3, -4}) cases.push_back(dft("axis", tensor(dtype, {4, 8, 16, 2}), 0, 0, absent, axis));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
      cases.push_back(dft(name_of(layout), tensor(dtype, {3, 8, 2}).in(layout)));
    cases.push_back(dft("no lines", tensor(dtype, {0, 8, 2})));
    cases.push_back(OpCase("version 17", {tensor(dtype, {2, 8, 3, 1})}, {{"axis", int64_t{1}}}).with_opset(17));
  }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(dft("dtype", tensor(dtype, {2, 16, 2})));
  for (int64_t length : {1021, 2047, 1031}) cases.push_back(dft("large factor", tensor(DBK_F32, {2, length, 2})).at(length == 1031 ? Place::Host : Place::ByRow));
  cases.push_back(dft("long", tensor(DBK_F32, {2, 60000, 1})));
  cases.push_back(dft("long", tensor(DBK_F32, {2, 65536, 2})));
  cases.push_back(dft("many", tensor(DBK_F32, {70000, 16, 1})));
  return cases;
}

}  // namespace ops
