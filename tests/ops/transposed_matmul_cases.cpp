// com.microsoft.FusedMatMul: both transpositions of matrices and of batches, broadcast batches, alpha, vectors, nothing to add up.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Form {
  int64_t a = 0, b = 0, batch_a = 0, batch_b = 0;
  double alpha = 1;
};

// Axes of a matrix as the op wants them: batch, rows, columns.
Shape stored(Shape batch, int64_t rows, int64_t columns, int64_t swapped, int64_t batch_swapped) {
  if (swapped) std::swap(rows, columns);
  Shape shape;
  if (batch_swapped) shape.push_back(rows);
  for (int64_t d : batch) shape.push_back(d);
  if (!batch_swapped) shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}

OpCase product(const Operand& a, const Operand& b, const Form& f) {
  OpCase made(std::format("trans {}{}{}{} alpha {} {}", f.a, f.b, f.batch_a, f.batch_b, f.alpha, describe({a, b})), {a, b},
              {{"transA", f.a}, {"transB", f.b}, {"transBatchA", f.batch_a}, {"transBatchB", f.batch_b}, {"alpha", f.alpha}});
  const bool vectors = a.shape.rank() < 2 || b.shape.rank() < 2;
  return f.batch_a || f.batch_b || vectors ? made.at(Place::Host) : made;
}

void add_all(Cases& cases, DType dtype) {
  for (const auto& [m, k, n] : {std::tuple{3, 5, 7}, {1, 1, 1}, {33, 20, 64}, {7, 68, 9}, {2, 0, 3}, {0, 4, 5}})
    for (int64_t bits = 0; bits < 4; ++bits) {
      const Form f{bits & 1, bits >> 1, 0, 0, bits % 3 == 0 ? 0.5 : 1};
      for (const auto& [left, right] : {std::pair{Shape{}, Shape{}}, {Shape{2, 3}, Shape{2, 3}}, {Shape{2, 1}, Shape{3}}, {Shape{4}, Shape{}}})
        cases.push_back(product(tensor(dtype, stored(left, m, k, f.a, 0)), tensor(dtype, stored(right, k, n, f.b, 0)), f));
    }
  cases.push_back(product(tensor(dtype, {6, 20}), tensor(dtype, {16, 20}).as(Origin::Param), {.b = 1, .alpha = 2}));
  cases.push_back(product(tensor(dtype, {6, 20}), tensor(dtype, {20, 16}).as(Origin::Param), {}));
}

}  // namespace

Cases transposed_matmul_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) add_all(cases, dtype);
  for (DType dtype : dtypes_of(row, 0)) {
    for (int64_t bits = 0; bits < 16; ++bits) {
      const Form f{bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3, 0.25};
      cases.push_back(product(tensor(dtype, stored({2, 3}, 4, 5, f.a, f.batch_a)), tensor(dtype, stored({2, 3}, 5, 6, f.b, f.batch_b)), f));
    }
    cases.push_back(product(tensor(dtype, {7}), tensor(dtype, {2, 7, 3}), {.alpha = 2}));
    cases.push_back(product(tensor(dtype, {2, 3, 7}), tensor(dtype, {7}), {.alpha = 2}));
  }
  return cases;
}

}  // namespace ops
