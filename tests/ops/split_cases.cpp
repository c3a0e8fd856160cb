// Split: every axis, even and uneven parts, empty ones, outputs that nobody wants, and the three places where versions
// keep the extents.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;

OpCase split(const char* name, const Operand& x, int64_t axis, const Ints& parts) {
  return OpCase(std::string(name) + " axis " + std::to_string(axis), {x, integers(parts)}, {{"axis", axis}})
      .wanting(std::vector<bool>(parts.size(), true));
}

void add_parts(Cases& cases, DType dtype) {
  const Operand x = bits(dtype, {4, 6, 8});
  for (int64_t axis : {0, 1, 2, -1, -2}) {
    const int64_t extent = x.shape[static_cast<size_t>(axis < 0 ? axis + 3 : axis)];
    cases.push_back(split("uneven", x, axis, {1, extent - 3, 2}));
    cases.push_back(split("one", x, axis, {extent}));
    cases.push_back(split("empty", x, axis, {0, extent, 0}));
    cases.push_back(OpCase("even axis " + std::to_string(axis), {x}, {{"axis", axis}, {"num_outputs", int64_t{2}}})
                        .wanting({true, true}));
  }
  cases.push_back(OpCase("rest", {bits(dtype, {7, 3})}, {{"num_outputs", int64_t{3}}}).wanting({true, true, true}));
  cases.push_back(OpCase("too few", {bits(dtype, {2, 3})}, {{"num_outputs", int64_t{3}}}).wanting({true, true, true}));
  cases.push_back(split("unwanted", x, 2, {3, 1, 4}).wanting({false, true, false}));
  cases.push_back(split("unwanted", x, 1, {3, 1, 2}).wanting({false, false, true}));
  cases.push_back(OpCase("unwanted even", {x}, {{"axis", int64_t{1}}, {"num_outputs", int64_t{3}}}).wanting({false, true, true}));
  cases.push_back(OpCase("attribute", {x}, {{"axis", int64_t{2}}, {"split", Ints{5, 3}}}).wanting({true, true}).with_opset(11));
  cases.push_back(OpCase("attribute", {x}, {{"axis", int64_t{1}}}).wanting({true, true, true}).with_opset(11));
  cases.push_back(OpCase("even", {x}, {{"axis", int64_t{0}}}).wanting({true, true}).with_opset(13));
}

}  // namespace

Cases split_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    add_parts(cases, dtype);
    for (int64_t size : kSizes) cases.push_back(split("size", bits(dtype, {size + 3}), 0, {1, size, 2}));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(split("layout", bits(dtype, {3, 5, 7}).in(layout), 1, {2, 3}));
  }
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(split("dtype", bits(dtype, {5, 7}), 1, {3, 4}));
  cases.push_back(split("weight", bits(DBK_F32, {5, 7}).as(Origin::Param), 0, {1, 4}));
  cases.push_back(split("grid", bits(DBK_F32, {70003, 62}), 1, {61, 1}));
  return cases;
}

}  // namespace ops
