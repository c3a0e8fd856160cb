// MatMulInteger and QLinearMatMul: both types of bytes, extents around words and tiles, batches, zero points and scales
// of rows and columns. Factors are numbers of few bits, so that every product and tie is exact on every adapter.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Pair {
  Shape a, b;
  Shape of_rows, of_columns;  // of scales and zero points
};
const std::vector<Pair>& pairs() {
  static const std::vector<Pair> list{{{1, 1}, {1, 1}, {}, {}},
                                      {{4, 4}, {4, 4}, {}, {}},
                                      {{5, 3}, {3, 7}, {1}, {1}},
                                      {{17, 31}, {31, 13}, {}, {}},
                                      {{65, 64}, {64, 68}, {65}, {68}},
                                      {{3, 8}, {8, 4}, {3}, {4}},
                                      {{3, 8}, {8, 6}, {3}, {6}},
                                      {{3, 6}, {6, 4}, {3}, {4}},
                                      {{7}, {7}, {}, {}},
                                      {{8}, {8, 12}, {}, {12}},
                                      {{3, 5}, {5}, {}, {}},
                                      {{2, 3, 5}, {5, 7}, {}, {7}},
                                      {{2, 3, 8}, {2, 8, 4}, {2, 3, 1}, {2, 1, 4}},
                                      {{3, 1, 2, 8}, {2, 8, 4}, {}, {}},
                                      {{1, 300}, {300, 33}, {}, {}},
                                      {{2, 1, 4, 4}, {1, 3, 4, 8}, {}, {}},
                                      {{0, 3}, {3, 4}, {}, {}},
                                      {{3, 0}, {0, 5}, {}, {}},
                                      {{4, 0}, {0, 8}, {}, {}},
                                      {{257, 16}, {16, 260}, {}, {}},
                                      {{2, 3, 72}, {72, 20}, {}, {20}},
                                      {{2, 3, 72}, {72, 20}, {2, 3, 1}, {1, 20}},
                                      {{2, 3, 72}, {1, 72, 20}, {3}, {2, 1, 20}}};
  return list;
}

constexpr DType kBytes[] = {DBK_U8, DBK_I8};

void add_integer(Cases& cases, DType a, DType b) {
  for (const Pair& p : pairs()) {
    cases.push_back({"plain", {bits(a, p.a), bits(b, p.b)}});
    cases.push_back({"zeros", {bits(a, p.a), bits(b, p.b), bits(a, p.of_rows), bits(b, p.of_columns)}});
    cases.push_back(
        {"zero of b", {bits(a, p.a), bits(b, p.b).as(Origin::Param), absent, bits(b, p.of_columns).as(Origin::Param)}});
  }
  cases.push_back({"wraps", {list(a, {1, 4}, {127}), list(b, {4, 4}, {127})}});
  cases.push_back({"layout", {bits(a, {2, 9, 12}).in(Layout::Transposed), bits(b, {12, 8}).in(Layout::Sliced)}});
  if (a == b && a == DBK_U8) cases.push_back({"grid", {bits(a, {70001, 2, 4}), bits(b, {70001, 4, 1})}});  // once: each is a tile
}

void add_coded(Cases& cases, DType a, DType b, DType y) {
  for (const Pair& p : pairs())
    for (DType scale : {DBK_F32, DBK_F16, DBK_BF16}) {
      if (scale != DBK_F32 && a != b) continue;
      OpCase test("codes", {bits(a, p.a), reals(scale, p.of_rows, {0.5, 0.75, 1}), bits(a, p.of_rows), bits(b, p.b),
                            reals(scale, p.of_columns, {1, 0.25, 2, 0.5}), bits(b, p.of_columns),
                            reals(scale, {}, {16}), list(y, {1}, {3})});
      cases.push_back(test.with_opset(21));
    }
}

}  // namespace

Cases integer_matmul_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType a : kBytes)
    for (DType b : kBytes) {
      if (row.id == "matmul_integer")
        add_integer(cases, a, b);
      else
        add_coded(cases, a, b, a);
    }
  if (row.id == "qlinear_matmul") add_coded(cases, DBK_U8, DBK_U8, DBK_I8);
  return cases;
}

}  // namespace ops
