// Pad and CenterCropPad: every mode, wide and narrow pads, ones that take off, some axes or all, the value as an operand, as an attribute and
// not at all, every type bit for bit.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;

OpCase pad(const char* name, const char* mode, const Operand& x, const Ints& pads, const Operand& value = absent,
           const Ints& axes = {}) {
  std::vector<Operand> operands{x, integers(pads)};
  if (value.dtype != DBK_DTYPE_NONE || !axes.empty()) operands.push_back(value);
  if (!axes.empty()) operands.push_back(integers(axes));
  return OpCase(std::string(name) + " " + mode, operands, {{"mode", std::string(mode)}});
}

void add_modes(Cases& cases, DType dtype) {
  for (const char* mode : {"constant", "edge", "reflect", "wrap"}) {
    cases.push_back(pad("row", mode, bits(dtype, {7}), {2, 3}));
    cases.push_back(pad("far", mode, bits(dtype, {3}), {11, 13}));
    cases.push_back(pad("single", mode, bits(dtype, {1, 4}), {2, 0, 1, 0}));
    cases.push_back(pad("image", mode, bits(dtype, {2, 3, 5, 4}), {0, 0, 1, 2, 0, 0, 2, 1}));
    cases.push_back(pad("all", mode, bits(dtype, {2, 3, 4}), {1, 2, 3, 3, 2, 1}));
    cases.push_back(pad("channels", mode, bits(dtype, {2, 3, 4}), {0, 1, 0, 0, 1, 0}));
    cases.push_back(pad("nothing", mode, bits(dtype, {2, 3, 4}), {0, 0, 0, 0, 0, 0}));
    cases.push_back(pad("shrinks and grows", mode, bits(dtype, {3, 6, 5}), {0, -1, 4, 0, 5, -2}));
    cases.push_back(pad("axes", mode, bits(dtype, {2, 3, 4}), {2, 1, 0, 2}, absent, {-1, 0}));
    cases.push_back(pad("rank 6", mode, bits(dtype, {2, 1, 2, 3, 1, 2}), {1, 0, 1, 0, 2, 1, 0, 1, 0, 1, 0, 1}));
    for (int64_t size : kSizes)
      if (size > 0) cases.push_back(pad("size", mode, bits(dtype, {size}), {1, 2}));
  }
  const Operand value = bits(dtype, {});
  cases.push_back(pad("value", "constant", bits(dtype, {3, 5}), {1, 1, 2, 0}, value));
  cases.push_back(pad("value", "constant", bits(dtype, {3, 5}), {2, 1}, value.as(Origin::Const), {1}));
  cases.push_back(pad("shrinks", "constant", bits(dtype, {6, 5}), {-1, 2, -2, -1}, value));
  cases.push_back(pad("shrinks away", "constant", bits(dtype, {6, 5}), {-3, 2, -3, -1}, value));
  cases.push_back(pad("around nothing", "constant", bits(dtype, {0, 3}), {1, 0, 2, 1}, value));
  cases.push_back(pad("scalar", "constant", bits(dtype, {}), {}));
}

Cases center_crop_pad_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back({"crop", {bits(dtype, {7, 8}), integers({4, 3})}});
    cases.push_back({"pad", {bits(dtype, {3, 4}), integers({4, 9})}});
    cases.push_back({"both", {bits(dtype, {2, 5, 4}), integers({8, 2}), }, {{"axes", Ints{-1, 1}}}});
    cases.push_back({"around nothing", {bits(dtype, {2, 0}), integers({2, 3})}});
    cases.push_back({"to nothing", {bits(dtype, {2, 4}), integers({0, 3})}});
  }
  for (int64_t size : kSizes) cases.push_back({"size", {bits(DBK_F32, {3, size}), integers({2, 64})}});
  return cases;
}

}  // namespace

Cases pad_cases(const dbk::OpRow& row) {
  if (row.id == "center_crop_pad") return center_crop_pad_cases(row);
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    add_modes(cases, dtype);
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(pad("layout", "reflect", bits(dtype, {3, 5, 7}).in(layout), {1, 0, 2, 0, 0, 1}));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(pad("dtype", "constant", bits(dtype, {3, 4}), {1, 0, 0, 3}, bits(dtype, {})));
    cases.push_back(pad("dtype", "edge", bits(dtype, {3, 4}), {1, 0, 0, 3}));
  }
  for (DType dtype : {DBK_I4, DBK_U2, DBK_F4_E2M1FN})  // which share bytes
    for (const char* mode : {"constant", "edge", "reflect", "wrap"}) cases.push_back(pad("packed", mode, bits(dtype, {3, 7}), {1, 2, 3, 0}).with_opset(25));
  for (DType dtype : {DBK_F32, DBK_F16, DBK_F64}) {
    const std::vector<dbk::Attribute> attrs{{"pads", Ints{1, 0, 0, 2}}, {"value", -1.375}};
    cases.push_back(OpCase("attributes", {bits(dtype, {3, 4})}, attrs).with_opset(7));
  }
  cases.push_back(pad("weight", "constant", bits(DBK_F32, {3, 5}).as(Origin::Param), {1, 1, 1, 1}));
  cases.push_back(pad("grid", "reflect", bits(DBK_F16, {70001, 59}), {0, 1, 0, 1}));
  return cases;
}

}  // namespace ops
