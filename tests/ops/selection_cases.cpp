// Ops whose data tells how many elements they give: NonZero, Compress, Unique, NonMaxSuppression. None, some and all elements chosen,
// every axis, operands that are data of the run and operands that the graph knows. They run on the host.
#include <cmath>

#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

void add_non_zero(Cases& cases, const dbk::OpRow& row) {
  for (DType dtype : dtypes_of(row, 0)) cases.push_back({"dtype", {list(dtype, {2, 3, 5}, {0, 1, 0, 0, 1})}});
  for (int64_t size : kSizes) cases.push_back({"size", {tensor(DBK_I32, {3, size})}});
  for (const Shape& shape : {Shape{}, {1}, {0}, {2, 0, 3}, {2, 2, 2, 2, 3}}) cases.push_back({"shape", {tensor(DBK_I8, shape)}});
  cases.push_back({"none", {list(DBK_F32, {4, 4}, {0})}});
  cases.push_back({"all", {list(DBK_F32, {4, 4}, {1})}});
  cases.push_back({"known", {list(DBK_F32, {2, 2}, {1, 0, 1, 1}).as(Origin::Const)}});
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
    cases.push_back({name_of(layout), {tensor(DBK_I32, {3, 5, 7}).in(layout)}});
}

void add_compress(Cases& cases, const dbk::OpRow& row) {
  const auto add = [&](const char* name, const Operand& data, const Operand& condition, std::vector<dbk::Attribute> attrs = {}) {
    cases.push_back({name, {data, condition}, std::move(attrs)});
  };
  for (DType dtype : dtypes_of(row, 0)) add("dtype", bits(dtype, {5, 3}), list(DBK_BOOL, {5}, {0, 1, 1, 0, 1}), {{"axis", int64_t{0}}});
  for (int64_t axis : {0, 1, 2, -1}) add("axis", bits(DBK_F32, {4, 5, 3}), list(DBK_BOOL, {3}, {1, 0, 1}), {{"axis", axis}});
  for (int64_t size : kSizes) add("size", bits(DBK_F32, {size}), tensor(DBK_BOOL, {size}));
  add("flat", bits(DBK_F16, {4, 5}), list(DBK_BOOL, {7}, {0, 1, 0, 0, 1, 1, 0}));
  add("none", bits(DBK_F32, {4, 5}), list(DBK_BOOL, {4}, {0}), {{"axis", int64_t{0}}});
  add("empty condition", bits(DBK_F32, {4, 5}), list(DBK_BOOL, {0}, {0}), {{"axis", int64_t{1}}});
  add("known", bits(DBK_F32, {4, 5}), list(DBK_BOOL, {4}, {1, 0, 0, 1}).as(Origin::Const), {{"axis", int64_t{0}}});
}

void add_unique(Cases& cases, const dbk::OpRow& row) {
  for (int64_t sorted : {0, 1}) {
    const std::vector<dbk::Attribute> attrs{{"sorted", sorted}};
    for (DType dtype : dtypes_of(row, 0)) cases.push_back(OpCase("dtype", {tensor(dtype, {33})}, attrs).wanting({true, true, true, true}));
    for (int64_t size : kSizes) cases.push_back(OpCase("size", {tensor(DBK_I32, {size})}, attrs).wanting({true, true, true, true}));
    for (int64_t axis : {0, 1, -1})
      cases.push_back(OpCase("axis", {tensor(DBK_I8, {9, 2, 3}).within(0, 1)}, {{"sorted", sorted}, {"axis", axis}})
                          .wanting({true, true, true, true}));
    cases.push_back(OpCase("nothing", {tensor(DBK_F32, {0})}, attrs).wanting({true, true, true, true}));
    cases.push_back(OpCase("NaN", {reals(DBK_F32, {5}, {NAN, 1, NAN, -1, 1})}, attrs).wanting({true, true, true, true}));
  }
  cases.push_back({"one output", {tensor(DBK_I64, {2, 5})}});
  cases.push_back(OpCase("counts alone", {tensor(DBK_I64, {2, 5})}).wanting({false, false, false, true}));
}

void add_suppression(Cases& cases) {
  const Operand most = list(DBK_I64, {1}, {3}), iou = reals(DBK_F32, {1}, {0.5}), score = reals(DBK_F32, {1}, {0.4});
  for (int64_t boxes : {0, 1, 6, 65})
    for (int64_t centre : {0, 1}) {
      const Operand places = tensor(DBK_F32, {2, boxes, 4}), scores = tensor(DBK_F32, {2, 3, boxes});
      const std::vector<dbk::Attribute> attrs{{"center_point_box", centre}};
      cases.push_back({"all operands", {places, scores, most, iou, score}, attrs});
      cases.push_back({"no threshold", {places, scores, most}, attrs});
      cases.push_back({"no limit", {places, scores}, attrs});
      cases.push_back({"known limits", {places, scores, most.as(Origin::Const), absent, score.as(Origin::Const)}, attrs});
    }
  cases.push_back({"equal scores", {tensor(DBK_F32, {1, 9, 4}), reals(DBK_F32, {1, 1, 9}, {0.5}), list(DBK_I64, {1}, {9})}});
}

}  // namespace

Cases selection_cases(const dbk::OpRow& row) {
  Cases cases;
  if (row.id == "non_zero") add_non_zero(cases, row);
  if (row.id == "compress") add_compress(cases, row);
  if (row.id == "unique") add_unique(cases, row);
  if (row.id == "non_max_suppression") add_suppression(cases);
  return cases;
}

}  // namespace ops
