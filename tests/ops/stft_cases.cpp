// STFT: frames with and without a window, of lengths with all kinds of factors, that overlap and that do not, of real and complex signals.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

Operand scalar(int64_t value, DType dtype = DBK_I64) { return list(dtype, {}, {value}).as(Origin::Const); }

void add_stft(Cases& cases, DType dtype) {
  for (int64_t onesided : {0, 1}) {
    const std::vector<dbk::Attribute> attrs{{"onesided", onesided}};
    cases.push_back({"window", {tensor(dtype, {2, 50, 1}), scalar(5), tensor(dtype, {16})}, attrs});
    cases.push_back({"length", {tensor(dtype, {2, 50, 1}), scalar(7), absent, scalar(12, DBK_I64)}, attrs});
    cases.push_back({"both", {tensor(dtype, {1, 33, 1}), scalar(8), tensor(dtype, {9}), scalar(9)}, attrs});
    cases.push_back({"too short", {tensor(dtype, {1, 8, 1}), scalar(8), tensor(dtype, {9})}, attrs});
  }
  for (int64_t length : {1, 2, 3, 15, 30, 64, 77, 400})
    cases.push_back({"lengths", {tensor(dtype, {2, 1000, 1}), scalar(160), tensor(dtype, {length})}});
  cases.push_back({"flat", {tensor(dtype, {2, 90}), scalar(11), tensor(dtype, {20})}});
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
    cases.push_back({"layout", {tensor(dtype, {3, 50, 1}).in(layout), scalar(5), tensor(dtype, {12}).in(layout)}});
  cases.push_back({"no batches", {tensor(dtype, {0, 50, 1}), scalar(5), tensor(dtype, {12})}});
  cases.push_back({"complex", {tensor(dtype, {2, 20, 2}), scalar(3), tensor(dtype, {8})}, {{"onesided", int64_t{0}}}});
}

}  // namespace

Cases stft_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0)) add_stft(cases, dtype);
  return cases;
}

}  // namespace ops
