// Where: three operands that broadcast each in its own way, and every type it moves, bit for bit.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase select(const char* name, DType dtype, const Shape& c, const Shape& x, const Shape& y) {
  return {name, {tensor(DBK_BOOL, c), bits(dtype, x), bits(dtype, y)}};
}

void add_shapes(Cases& cases, DType dtype) {
  for (int64_t size : kSizes) cases.push_back(select("size", dtype, {size}, {size}, {size}));
  for (const Shape& shape : ranked_shapes()) cases.push_back(select("rank", dtype, shape, shape, shape));
  cases.push_back(select("broadcast", dtype, {}, {7}, {7}));
  cases.push_back(select("broadcast", dtype, {7}, {}, {}));
  cases.push_back(select("broadcast", dtype, {3, 1}, {5}, {1}));
  cases.push_back(select("broadcast", dtype, {5}, {3, 1}, {2, 1, 1}));
  cases.push_back(select("broadcast", dtype, {2, 1, 3}, {1, 5, 1}, {2, 5, 3}));
  cases.push_back(select("broadcast", dtype, {2, 1, 2, 1, 2, 1}, {3, 1, 2, 1, 2}, {1, 1, 1, 2}));
  cases.push_back(select("empty", dtype, {3, 1}, {0}, {3, 1}));
}

void add_layouts(Cases& cases, DType dtype) {
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
    cases.emplace_back("layout", std::vector{tensor(DBK_BOOL, {3, 5, 7}).in(layout), bits(dtype, {3, 1, 7}).in(layout),
                                             bits(dtype, {5, 7})});
}

}  // namespace

Cases where_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row, 1)) add_shapes(cases, dtype);
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) add_layouts(cases, dtype);
  for (DType dtype : dtypes_of(row, 1)) {
    cases.push_back(select("dtype", dtype, {3, 5}, {3, 5}, {5}));
    if (is_float(dtype)) {
      const std::vector<double> values = special_reals();
      const auto count = static_cast<int64_t>(values.size());
      cases.emplace_back("specials",
                         std::vector{tensor(DBK_BOOL, {9, 1}), reals(dtype, {count}, values), reals(dtype, {}, {1.0})});
    }
  }
  cases.emplace_back("weights", std::vector{tensor(DBK_BOOL, {3, 5}), bits(DBK_F32, {5}).as(Origin::Param),
                                            bits(DBK_F32, {}).as(Origin::Const)});
  cases.push_back(select("grid", DBK_F16, {70001, 61}, {61}, {}));
  cases.push_back(select("grid", DBK_F32, {kOverGrid}, {kOverGrid}, {1}));
  return cases;
}

}  // namespace ops
