// InstanceNormalization and GroupNormalization: groups of one, some and all channels, rows around a workgroup, scales of
// channels and of groups, data far from 0.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase normalise(const char* name, const dbk::OpRow& row, const Operand& x, int64_t groups, uint32_t opset = 21) {
  const bool of_groups = row.id == "group_normalization" && opset < 21;
  const Shape factors{of_groups ? groups : x.shape[1]};
  std::vector<dbk::Attribute> attributes{{"epsilon", 1e-3}};
  if (row.id == "group_normalization") attributes.push_back({"num_groups", groups});
  return OpCase(std::string(name) + " groups " + std::to_string(groups),
                {x, tensor(x.dtype, factors).within(-2, 3), tensor(x.dtype, factors).within(-5, 4)}, attributes)
      .with_opset(opset);
}

}  // namespace

Cases group_normalization_cases(const dbk::OpRow& row) {
  Cases cases;
  const bool grouped = row.id == "group_normalization";
  for (DType dtype : gpu_dtypes_of(row)) {
    for (const Shape& shape : {Shape{1, 2, 1}, Shape{2, 4, 7}, Shape{2, 6, 31}, Shape{2, 6, 33}, Shape{1, 6, 16, 16},
                               Shape{3, 4, 257}, Shape{2, 4, 3, 5, 7}, Shape{0, 4, 5}, Shape{2, 4, 0}, Shape{1, 2, 100003},
                               Shape{35001, 2, 3}})
      for (int64_t groups : {1, 2}) cases.push_back(normalise("shape", row, tensor(dtype, shape), groups));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
      cases.push_back(normalise("layout", row, tensor(dtype, {3, 4, 7}).in(layout), 2));
    if (grouped) cases.push_back(normalise("scales of groups", row, tensor(dtype, {2, 6, 5}), 3, 18));
    if (grouped) cases.push_back(normalise("scales of groups", row, tensor(dtype, {2, 6, 5}), 2, 18));
  }
  for (DType dtype : dtypes_of(row, 0, 21)) {
    cases.push_back(normalise("dtype", row, tensor(dtype, {2, 4, 5}), 2));
    cases.push_back(normalise("far from 0", row, tensor(dtype, {2, 4, 65}).within(1000, 1003), 2));
    cases.push_back(normalise("equal", row, reals(dtype, {2, 4, 8}, {2.5}), 2));
  }
  return cases;
}

}  // namespace ops
