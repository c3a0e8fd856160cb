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
  return vectors ? made.at(Place::Host) : made;
}

void add_all(Cases& cases, DType dtype) {
  for (const auto& [m, k, n] : {std::tuple{3, 5, 7}, {1, 1, 1}, {33, 20, 64}, {7, 68, 9}, {2, 0, 3}, {0, 4, 5}, {12, 84, 36}, {128, 16, 48}})
    for (int64_t bits = 0; bits < 4; ++bits) {
      const Form f{bits & 1, bits >> 1, 0, 0, bits % 3 == 0 ? 0.5 : 1};
      for (const auto& [left, right] : {std::pair{Shape{}, Shape{}}, {Shape{2, 3}, Shape{2, 3}}, {Shape{2, 1}, Shape{3}}, {Shape{4}, Shape{}}})
        cases.push_back(product(tensor(dtype, stored(left, m, k, f.a, 0)), tensor(dtype, stored(right, k, n, f.b, 0)), f));
    }
  for (const auto& [m, k, n] : {std::tuple{6, 20, 16}, {9, 68, 48}, {3, 7, 5}, {4, 0, 16}, {36, 64, 52}})
    for (int64_t bits = 0; bits < 4; ++bits) {  // weights: kernels store a matrix in their own way, batches stay as they are
      const Form f{bits & 1, bits >> 1, 0, 0, bits % 3 == 0 ? 2.0 : 1};
      for (const auto& [left, right] : {std::pair{Shape{}, Shape{}}, {Shape{2, 3}, Shape{}}, {Shape{2}, Shape{1}}, {Shape{1}, Shape{3}}})
        cases.push_back(product(tensor(dtype, stored(left, m, k, f.a, 0)), tensor(dtype, stored(right, k, n, f.b, 0)).as(Origin::Param), f));
    }
}

// PermutedMatMul: operands as they lie and the orders in which they are read.
struct Permuted {
  Shape a, b;
  std::vector<int64_t> order_a, order_b;
};

OpCase permuted(DType dtype, const Permuted& p, Origin origin = Origin::Input) {
  std::vector<dbk::Attribute> attrs;
  if (!p.order_a.empty()) attrs.push_back({"permA", p.order_a});
  if (!p.order_b.empty()) attrs.push_back({"permB", p.order_b});
  const std::vector<Operand> operands{tensor(dtype, p.a), tensor(dtype, p.b).as(origin)};
  const auto text = [](const std::vector<int64_t>& order) {
    Shape axes;
    for (int64_t axis : order) axes.push_back(axis);
    return dbk::to_string(axes);
  };
  return {std::format("axes {} {}", text(p.order_a), text(p.order_b)), operands, attrs};
}

Cases permuted_matmul_cases(const dbk::OpRow& row) {
  const std::vector<int64_t> swap{0, 1, 3, 2}, heads{0, 2, 1, 3}, both{0, 2, 3, 1};
  const Permuted list[] = {
      {{2, 3, 9, 20}, {2, 3, 17, 20}, {}, swap},
      {{2, 3, 20, 9}, {2, 3, 20, 16}, swap, {}},
      {{2, 3, 12, 8}, {2, 3, 16, 12}, swap, swap},
      {{2, 33, 3, 64}, {2, 33, 3, 64}, heads, both},           // queries and keys
      {{2, 3, 33, 36}, {2, 36, 3, 64}, {}, heads},             // weights and values
      {{2, 37, 3, 20}, {2, 41, 3, 20}, heads, both},
      {{2, 32, 4, 16}, {2, 16, 4, 32}, heads, heads},
      {{2, 5, 3, 7}, {1, 7, 3, 11}, heads, heads},             // batches that broadcast
      {{6, 5, 9}, {7, 6, 9}, {}, {1, 2, 0}},
      {{5, 6, 8}, {8, 16}, {1, 0, 2}, {}},
      {{4, 8}, {16, 8}, {}, {1, 0}},
      {{2, 1, 3, 8}, {2, 1, 3, 16}, both, heads},
      {{2, 0, 3, 8}, {2, 16, 3, 8}, heads, both},
      {{2, 4, 3, 0}, {2, 5, 3, 0}, heads, both},
  };
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row))
    for (const Permuted& p : list) cases.push_back(permuted(dtype, p));
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(permuted(dtype, list[3]));
    cases.push_back(permuted(dtype, {{2, 3, 4, 5}, {4, 7}, {3, 0, 1, 2}, {}}).at(Place::Host));  // elements of neither rows nor columns are neighbours
  }
  cases.push_back(permuted(DBK_F32, list[0], Origin::Param));
  return cases;
}

}  // namespace

Cases transposed_matmul_cases(const dbk::OpRow& row) {
  if (row.id == "permuted_matmul") return permuted_matmul_cases(row);
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
