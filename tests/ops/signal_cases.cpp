// Window functions and MelWeightMatrix, which run on the host.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

Operand scalar(int64_t value, DType dtype = DBK_I64) { return list(dtype, {}, {value}).as(Origin::Const); }

void add_window(Cases& cases) {
  for (DType size : {DBK_I32, DBK_I64})
    for (int64_t periodic : {0, 1})
      for (int64_t output : {1, 10, 11, 16, 6, 7}) {
        const std::vector<dbk::Attribute> attrs{{"periodic", periodic}, {"output_datatype", output}};
        for (int64_t n : {0, 2, 3, 10, 257}) cases.push_back({"", {scalar(n, size)}, attrs});
      }
}

void add_mel(Cases& cases) {
  const auto edge = [](double hertz) { return reals(DBK_F32, {}, {hertz}).as(Origin::Const); };
  for (int64_t output : {1, 10, 11, 6})
    for (int64_t bins : {0, 1, 8, 80})
      cases.push_back({"", {scalar(bins), scalar(400), scalar(16000), edge(20), edge(7600)}, {{"output_datatype", output}}});
  cases.push_back({"few", {scalar(8, DBK_I32), scalar(16, DBK_I32), scalar(8192, DBK_I32), edge(0), edge(4096)}});
}

}  // namespace

Cases signal_cases(const dbk::OpRow& row) {
  Cases cases;
  if (row.id.ends_with("_window")) add_window(cases);
  if (row.id == "mel_weight_matrix") add_mel(cases);
  return cases;
}

}  // namespace ops
