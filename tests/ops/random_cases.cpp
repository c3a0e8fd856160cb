// Ops with random results: every type, shapes from none to many, with and without a seed. That what they draw is random is tested in
// tests/host_ops/random_test.cpp; here, that every device draws the same.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;

constexpr int64_t kFloats[] = {1, 10, 11, 16};  // ONNX's numbers of f32, f16, f64, bf16

void add_drawn(Cases& cases, const dbk::OpRow& row) {
  const bool like = row.id.ends_with("_like");
  const std::vector<std::string> ends = row.id.starts_with("random_normal") ? std::vector<std::string>{"mean", "scale"} : std::vector<std::string>{"low", "high"};
  for (int64_t dtype : kFloats)
    for (const Shape& shape : {Shape{}, {0}, {7}, {3, 5}, {2, 1021}}) {
      const std::vector<dbk::Attribute> attrs{{"dtype", dtype}, {"seed", 2.5}, {ends[0], -1.0}, {ends[1], 3.0}};
      if (like) {
        cases.push_back({"", {tensor(DBK_I32, shape)}, attrs});
      } else {
        cases.push_back({"", {}, attrs});
        cases.back().attrs.set("shape", Ints(shape.begin(), shape.end()));
        cases.back().name += to_string(shape);
      }
    }
}

}  // namespace

Cases random_cases(const dbk::OpRow& row) {
  Cases cases;
  if (row.id.starts_with("random_")) add_drawn(cases, row);
  if (row.id == "bernoulli")
    for (DType dtype : dtypes_of(row, 0)) {
      for (int64_t size : kSizes) cases.push_back({"", {tensor(dtype, {size})}, {{"seed", 1.0}}});
      for (int64_t to : {1, 2, 7, 9, 11}) cases.push_back({"to", {tensor(dtype, {3, 5})}, {{"seed", 4.0}, {"dtype", to}}});
      cases.push_back({"sure", {reals(dtype, {4}, {0, 1, 1, 0})}, {{"seed", 4.0}}});
    }
  if (row.id == "multinomial")
    for (DType dtype : dtypes_of(row, 0))
      for (int64_t to : {6, 7}) cases.push_back({"", {tensor(dtype, {3, 5})}, {{"seed", 1.0}, {"dtype", to}, {"sample_size", int64_t{9}}}});
  if (row.id == "dropout")
    for (DType dtype : {DBK_F8_E4M3FN, DBK_F8_E5M2})
      cases.push_back(OpCase("training", {tensor(dtype, {300}), reals(DBK_F32, {}, {0.25}), list(DBK_BOOL, {}, {1})}, {{"seed", int64_t{7}}})
                          .with_opset(22).wanting({true, true}));
  if (row.id == "dropout")
    for (DType dtype : dtypes_of(row, 0)) {
      const Operand ratio = reals(DBK_F32, {}, {0.25}), on = list(DBK_BOOL, {}, {1}), off = list(DBK_BOOL, {}, {0});
      const std::vector<dbk::Attribute> seed{{"seed", int64_t{7}}};
      cases.push_back(OpCase("training", {tensor(dtype, {4, 257}), ratio, on}, seed).wanting({true, true}));
      cases.push_back(OpCase("half", {tensor(dtype, {4, 257}), absent, on}, seed).wanting({true, true}));
      cases.push_back(OpCase("no training", {tensor(dtype, {4, 5}), ratio, off}, seed).wanting({true, true}));
      cases.push_back(OpCase("mask alone", {tensor(dtype, {4, 5}), ratio, on}, seed).wanting({false, true}));
    }
  return cases;
}

}  // namespace ops
