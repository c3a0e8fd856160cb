// Shape and Size as outputs of a graph: of every type and rank, and all ranges that Shape's attributes can name.
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

}  // namespace ops
