// Ops that read the type of an input alone. Shape and Size as outputs of a graph: of every type and rank, and all ranges that
// Shape's attributes can name. EyeLike: diagonals within the matrix and outside.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases extents_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0)) cases.emplace_back("dtype", std::vector{tensor(dtype, {3, 5})});
  for (const Shape& shape : ranked_shapes()) cases.emplace_back("rank", std::vector{tensor(DBK_F32, shape)});
  cases.emplace_back("weight", std::vector{tensor(DBK_F32, {3, 5}).as(Origin::Param)});
  cases.emplace_back("large", std::vector{tensor(DBK_F16, {kOverGrid})});
  if (row.id == "size") return cases;
  for (int64_t start : {-9, -3, -1, 0, 1, 2, 3, 9}) {
    const std::string name = "from " + std::to_string(start);
    cases.emplace_back(name, std::vector{tensor(DBK_F32, {2, 3, 5})}, std::vector<dbk::Attribute>{{"start", start}});
    for (int64_t end : {-9, -1, 0, 2, 9})
      cases.emplace_back(name + " to " + std::to_string(end), std::vector{tensor(DBK_F32, {2, 3, 5})},
                         std::vector<dbk::Attribute>{{"start", start}, {"end", end}});
  }
  return cases;
}

Cases eye_like_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0)) cases.emplace_back("dtype", std::vector{tensor(dtype, {3, 5})});
  for (const Shape& shape : {Shape{4, 4}, Shape{3, 7}, Shape{7, 3}, Shape{0, 3}})
    for (int64_t k : {-9, -3, -1, 0, 2, 6, 9})
      cases.emplace_back("k " + std::to_string(k), std::vector{tensor(DBK_F32, shape)},
                         std::vector<dbk::Attribute>{{"k", k}, {"dtype", int64_t{7}}});
  return cases;
}

}  // namespace ops
