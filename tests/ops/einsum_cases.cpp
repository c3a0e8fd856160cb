// Einsum: products, transposition, diagonals, traces, "..." with and without broadcasting, one to three operands. What is no product of
// matrices stays on the host (plugin/graph/passes/lower_einsum.cpp).
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases einsum_cases(const dbk::OpRow& row) {
  Cases cases;
  const auto add = [&](const std::string& equation, DType dtype, const std::vector<Shape>& shapes, Place place = Place::ByRow) {
    std::vector<Operand> operands;
    for (const Shape& shape : shapes) operands.push_back(tensor(dtype, shape));
    cases.emplace_back(equation, operands, std::vector<dbk::Attribute>{{"equation", equation}});
    cases.back() = cases.back().at(place);
  };
  for (DType dtype : dtypes_of(row, 0)) add("ij,jk->ik", dtype, {{3, 5}, {5, 4}});
  add("ij->ji", DBK_F32, {{3, 5}});
  add("i,j,ij->ij", DBK_F32, {{2}, {3}, {2, 3}}, Place::Host);
  add("bhid,bhjd->bhij", DBK_F32, {{2, 3, 5, 8}, {2, 3, 7, 8}});
  add("... i j, ... j k -> ... i k", DBK_F32, {{2, 1, 3, 5}, {4, 5, 2}}, Place::Host);
  add("i,j,k->kij", DBK_F32, {{2}, {3}, {5}}, Place::Host);
  add("ij->", DBK_F32, {{0, 3}});
  add("ba,bc", DBK_F16, {{65, 3}, {65, 4}});
  add("ij,jk->ik", DBK_F32, {{70, 300}, {300, 65}});
  for (DType dtype : {DBK_I32, DBK_U64}) {
    add("ijk->ki", dtype, {{3, 5, 7}});
    add("bqhd,bkhd->bhqk", dtype, {{2, 5, 3, 8}, {2, 7, 3, 8}});
    add("ij,kj->", dtype, {{3, 65}, {4, 65}});
  }
  for (DType dtype : {DBK_F32, DBK_F16}) {
    add("ijk->ki", dtype, {{3, 5, 7}});                           // a sum over the middle
    add("bqhd,bkhd->bhqk", dtype, {{2, 5, 3, 8}, {2, 7, 3, 8}});  // attention as exporters write it
    add("bqd,dhe->bqhe", dtype, {{2, 5, 8}, {8, 3, 4}});          // columns of two indices
    add("abij,abkij->bka", dtype, {{2, 3, 4, 5}, {2, 3, 7, 4, 5}});  // batch and inner of two, no rows
    add("ij,kl->iljk", dtype, {{2, 3}, {4, 5}});                  // nothing is summed
    add("bi,bi->b", dtype, {{3, 65}, {3, 65}});
    add("i,i->", dtype, {{65}, {65}});
    add("ij,kj->", dtype, {{3, 65}, {4, 65}}, dtype == DBK_F16 ? Place::Host : Place::ByRow);  // sums before the product
    add("...ij,...jk->...ik", dtype, {{2, 3, 4, 5}, {2, 3, 5, 6}});
    add("ii->i", dtype, {{5, 5}});
    add("ii", dtype, {{5, 5}});
    add("...ii->...i", dtype, {{2, 3, 65, 65}});
    add("ibi,bj->ij", dtype, {{4, 7, 4}, {7, 3}});
    add("bii,bij->bj", dtype, {{2, 4, 4}, {2, 4, 3}});
    add("ij,jk->ik", dtype, {{3, 0}, {0, 4}});
    add("ij,jk->ik", dtype, {{0, 3}, {3, 4}});
  }
  return cases;
}

}  // namespace ops
