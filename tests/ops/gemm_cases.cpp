// Gemm: both transpositions, every form of C, alpha and beta, B as an input and as a weight, and nothing to add up.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Form {
  int64_t m, k, n, trans_a, trans_b;
  double alpha = 1, beta = 1;
};

OpCase gemm(const char* name, DType dtype, const Form& f, const Operand& c = absent, Origin origin = Origin::Input) {
  std::vector<Operand> operands{tensor(dtype, f.trans_a ? Shape{f.k, f.m} : Shape{f.m, f.k}),
                                tensor(dtype, f.trans_b ? Shape{f.n, f.k} : Shape{f.k, f.n}).as(origin)};
  if (c.dtype != DBK_DTYPE_NONE) operands.push_back(c);
  const std::string text =
      std::format("{} transA {} transB {} alpha {} beta {}", name, f.trans_a, f.trans_b, f.alpha, f.beta);
  return {text, operands, {{"transA", f.trans_a}, {"transB", f.trans_b}, {"alpha", f.alpha}, {"beta", f.beta}}};
}

void add_transpositions(Cases& cases, DType dtype, Origin origin) {
  for (int64_t a : {0, 1})
    for (int64_t b : {0, 1})
      for (const auto& [m, k, n] : {std::tuple{3, 5, 7}, {1, 1, 1}, {64, 64, 64}, {65, 68, 63}, {7, 67, 130}, {1, 4096, 9}, {33, 20, 128}, {36, 148, 52}}) {
        cases.push_back(gemm("product", dtype, {m, k, n, a, b}, absent, origin));
        cases.push_back(gemm("bias", dtype, {m, k, n, a, b}, tensor(dtype, {n}), origin));
      }
}

void add_addends(Cases& cases, DType dtype) {
  for (const auto& [m, n] : {std::pair{5, 7}, {33, 128}})
    for (const Shape& c : {Shape{}, {1}, {n}, {1, n}, {m, 1}, {m, n}, {1, 1}})
      for (double beta : {1.0, -0.5}) cases.push_back(gemm("C", dtype, {m, 12, n, 0, 0, 1, beta}, tensor(dtype, c)));
  for (double alpha : {0.5, -2.0, 0.0, 1.0})
    for (double beta : {0.0, 1.0, 3.0})
      cases.push_back(gemm("factors", dtype, {9, 16, 65, 0, 1, alpha, beta}, tensor(dtype, {9, 65})));
  for (int64_t trans : {0, 1})
    for (Origin origin : {Origin::Input, Origin::Param})
      cases.push_back(gemm("factors", dtype, {20, 132, 48, 1, trans, -1.5, 0.5}, tensor(dtype, {20, 48}), origin));
  cases.push_back(gemm("no C", dtype, {9, 16, 65, 1, 0, -1.5, 7.0}));
  cases.push_back(
      gemm("C is a weight", dtype, {9, 16, 64, 0, 0}, tensor(dtype, {64}).as(Origin::Param), Origin::Param));
}

void add_empty(Cases& cases, DType dtype) {
  for (int64_t trans : {0, 1}) {
    cases.push_back(gemm("empty sum", dtype, {3, 0, 5, trans, trans, 1, 2}, tensor(dtype, {5})));
    cases.push_back(gemm("empty sum", dtype, {3, 0, 5, trans, trans}));
    cases.push_back(gemm("no rows", dtype, {0, 4, 5, trans, trans}, tensor(dtype, {5})));
    cases.push_back(gemm("no columns", dtype, {3, 4, 0, trans, trans}));
  }
  cases.push_back(gemm("empty sum", dtype, {33, 0, 128, 0, 0}, tensor(dtype, {128})));
}

void add_numbers(Cases& cases, DType dtype) {
  // Over f16 before alpha, within it afterwards.
  cases.emplace_back("over f16", std::vector{reals(dtype, {2, 4}, {6e4}), reals(dtype, {4, 64}, {6e4, 1})},
                     std::vector<dbk::Attribute>{{"alpha", 1e-6}});
  cases.emplace_back(
      "over f16", std::vector{reals(dtype, {2, 4}, {6e4}), reals(dtype, {4, 3}, {6e4, 1}), reals(dtype, {3}, {6e4})});
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  cases.emplace_back("specials",
                     std::vector{tensor(dtype, {3, 4}), tensor(dtype, {4, 3}), reals(dtype, {3}, {kInf, kNan, -kInf})});
}

// Integers are scaled in double, which no kernel has.
bool is_scaled(const OpCase& test) {
  const auto factor = [&](const char* name) { return test.attrs.has(name) && test.attrs.real(name) != 1; };
  return factor("alpha") || (test.inputs.size() > 2 && factor("beta"));
}

}  // namespace

Cases gemm_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    add_transpositions(cases, dtype, Origin::Input);
    add_transpositions(cases, dtype, Origin::Param);
    add_addends(cases, dtype);
    add_empty(cases, dtype);
    if (dtype != DBK_F16) cases.push_back(gemm("grid", dtype, {280001, 3, 2, 0, 1}, tensor(dtype, {2})));  // whose grids are those of f32
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed}) {
      cases.push_back(gemm("layout", dtype, {9, 12, 7, 1, 0}, tensor(dtype, {9, 7}).in(layout)));
      for (Operand& operand : cases.back().inputs) operand.layout = layout;
      cases.back().name += name_of(layout);
    }
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(gemm("dtype", dtype, {3, 5, 7, 0, 0}, tensor(dtype, {7})));
    if (is_float(dtype)) add_numbers(cases, dtype);
  }
  for (OpCase& test : cases)
    if (!is_float(test.inputs[0].dtype) && is_scaled(test)) test = test.at(Place::Host);
  return cases;
}

}  // namespace ops
