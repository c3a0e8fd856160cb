#include "tests/ops/emptied_cases.h"

#include <algorithm>
#include <set>

namespace ops {

namespace {

bool may_be_empty(const dbk::OpRow& row, const OpCase& test, size_t i) {
  return test.inputs[i].dtype != DBK_DTYPE_NONE && !(i < 32 && (row.host->shape_inputs >> i & 1) != 0);
}

// Its name tells the shapes; strides of what is empty would say nothing.
OpCase renamed(OpCase test) {
  for (Operand& operand : test.inputs) operand.layout = Layout::Dense;
  test.name = "emptied " + describe(test.inputs);
  return test.at(Place::Any);
}

}  // namespace

std::vector<EmptiedCase> emptied_cases(const dbk::OpRow& row, const OpCase& test) {
  std::vector<EmptiedCase> cases;
  std::set<std::string> seen;
  const auto add = [&](OpCase emptied, bool agrees) {
    emptied = renamed(std::move(emptied));
    if (seen.insert(emptied.name).second) cases.push_back({std::move(emptied), agrees});
  };
  std::set<int64_t> extents;
  for (size_t i = 0; i < test.inputs.size(); ++i)
    if (may_be_empty(row, test, i)) extents.insert(test.inputs[i].shape.begin(), test.inputs[i].shape.end());
  for (const int64_t extent : extents) {
    OpCase all = test;
    for (size_t i = 0; i < test.inputs.size(); ++i)
      if (may_be_empty(row, test, i)) std::ranges::replace(all.inputs[i].shape, extent, 0);
    add(std::move(all), true);
  }
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    for (uint32_t d = 0; may_be_empty(row, test, i) && d < test.inputs[i].shape.rank(); ++d) {
      OpCase one = test;
      one.inputs[i].shape[d] = 0;
      add(std::move(one), false);
    }
  }
  return cases;
}

}  // namespace ops
