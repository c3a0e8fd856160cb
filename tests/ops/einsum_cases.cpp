// Einsum: products, transposition, diagonals, traces, "..." with and without broadcasting, one to three operands.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases einsum_cases(const dbk::OpRow& row) {
  Cases cases;
  const auto add = [&](const std::string& equation, DType dtype, const std::vector<Shape>& shapes) {
    std::vector<Operand> operands;
    for (const Shape& shape : shapes) operands.push_back(tensor(dtype, shape));
    cases.emplace_back(equation, operands, std::vector<dbk::Attribute>{{"equation", equation}});
  };
  for (DType dtype : dtypes_of(row, 0)) add("ij,jk->ik", dtype, {{3, 5}, {5, 4}});
  add("ij->ji", DBK_F32, {{3, 5}});
  add("ii->i", DBK_F32, {{5, 5}});
  add("ii", DBK_F32, {{5, 5}});
  add("bhid,bhjd->bhij", DBK_F32, {{2, 3, 5, 8}, {2, 3, 7, 8}});
  add("... i j, ... j k -> ... i k", DBK_F32, {{2, 1, 3, 5}, {4, 5, 2}});
  add("i,j,k->kij", DBK_F32, {{2}, {3}, {5}});
  add("ij->", DBK_F32, {{0, 3}});
  add("ba,bc", DBK_F16, {{65, 3}, {65, 4}});
  add("ij,jk->ik", DBK_F32, {{70, 300}, {300, 65}});
  return cases;
}

}  // namespace ops
