// DepthToSpace and SpaceToDepth: blocks of one, two and three, both modes, every type bit for bit.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

Cases rearrange_cases(const dbk::OpRow& row) {
  Cases cases;
  const bool deep = row.id == "depth_to_space";
  const auto add = [&](const char* name, const Operand& x, int64_t block) {
    cases.emplace_back(name, std::vector{x}, std::vector<dbk::Attribute>{{"blocksize", block}});
    if (deep) cases.emplace_back(std::string(name) + " CRD", std::vector{x}, std::vector<dbk::Attribute>{{"blocksize", block}, {"mode", std::string("CRD")}});
  };
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    add("two", bits(dtype, deep ? Shape{2, 12, 3, 5} : Shape{2, 3, 6, 10}), 2);
    add("three", bits(dtype, deep ? Shape{1, 18, 2, 4} : Shape{1, 2, 6, 12}), 3);
    add("one", bits(dtype, {2, 3, 4, 5}), 1);
    add("empty", bits(dtype, {0, 4, 2, 2}), 2);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      add("layout", bits(dtype, {2, 8, 4, 6}).in(layout), 2);
  }
  for (DType dtype : dtypes_of(row, 0)) add("dtype", bits(dtype, {1, 4, 2, 6}), 2);
  add("weight", bits(DBK_F32, {1, 4, 4, 4}).as(Origin::Param), 2);
  add("grid", bits(DBK_F16, {1, 4, 1030, 1026}), 2);
  return cases;
}

}  // namespace ops
