// Slice: forward and backward steps, bounds beyond both ends and at the limits of i64, some axes or all, nothing left,
// bounds as operands of both types and as the attributes of version 1.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;
constexpr int64_t kLast = std::numeric_limits<int64_t>::max(), kFirst = std::numeric_limits<int64_t>::min();

struct Bounds {
  Ints starts, ends, axes, steps;
};

OpCase slice(const char* name, const Operand& x, const Bounds& b, DType index = DBK_I64) {
  std::vector<Operand> operands{x, integers(b.starts, index), integers(b.ends, index)};
  if (!b.axes.empty() || !b.steps.empty()) operands.push_back(b.axes.empty() ? absent : integers(b.axes, index));
  if (!b.steps.empty()) operands.push_back(integers(b.steps, index));
  return {name, operands};
}

void add_bounds(Cases& cases, DType dtype) {
  const Operand x = bits(dtype, {10});
  for (int64_t step : {1, 2, 3, 7, 100})
    for (const auto& [start, end] :
         {std::pair<int64_t, int64_t>{0, 10}, {3, 8}, {-4, kLast}, {kFirst, -1}, {9, 10}, {5, 5}, {8, 2}, {20, 30}})
      cases.push_back(slice("forward", x, {{start}, {end}, {0}, {step}}));
  for (int64_t step : {-1, -2, -3, -100})
    for (const auto& [start, end] :
         {std::pair<int64_t, int64_t>{kLast, kFirst}, {9, -11}, {8, 2}, {-1, 0}, {3, 3}, {2, 8}, {-3, -20}})
      cases.push_back(slice("backward", x, {{start}, {end}, {-1}, {step}}));
  cases.push_back(slice("step at the limit", x, {{kLast}, {kFirst}, {0}, {kFirst}}));
  cases.push_back(slice("step at the limit", x, {{0}, {kLast}, {0}, {kLast}}));
}

void add_axes(Cases& cases, DType dtype) {
  const Operand x = bits(dtype, {4, 6, 8});
  cases.push_back(slice("default axes", x, {{1, 2}, {3, 5}, {}, {}}));
  cases.push_back(slice("default axes", x, {{1, 2, 3}, {3, 5, 4}, {}, {1, 2, 1}}));
  cases.push_back(slice("one axis", x, {{2}, {-1}, {1}, {}}));
  cases.push_back(slice("axes out of order", x, {{7, 0}, {kFirst, 3}, {2, -3}, {-2, 1}}));
  cases.push_back(slice("all backward", x, {{kLast, kLast, kLast}, {kFirst, kFirst, kFirst}, {0, 1, 2}, {-1, -1, -1}}));
  cases.push_back(slice("steps", x, {{0, 5, 1}, {4, 0, 8}, {0, 1, 2}, {3, -2, 5}}));
  cases.push_back(slice("all", x, {{0}, {kLast}, {0}, {1}}));
  cases.push_back(slice("nothing", x, {{}, {}, {}, {}}));
  cases.push_back(slice("empty", bits(dtype, {3, 0}), {{0}, {2}, {0}, {1}}));
  cases.push_back(slice("i32", x, {{1, -2}, {4, -7}, {1, 2}, {2, -3}}, DBK_I32));
  cases.push_back(slice("rank 6", bits(dtype, {2, 3, 4, 2, 3, 4}), {{1, -1}, {4, kFirst}, {2, 5}, {2, -3}}));
  cases.push_back(OpCase("attributes", {x}, {{"starts", Ints{1, -3}}, {"ends", Ints{5, kLast}}, {"axes", Ints{1, 2}}})
                      .with_opset(9));
  cases.push_back(OpCase("attributes", {x}, {{"starts", Ints{1, 0}}, {"ends", Ints{3, -1}}}).with_opset(9));
}

}  // namespace

Cases slice_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16}) {
    add_bounds(cases, dtype);
    add_axes(cases, dtype);
    for (int64_t size : kSizes) cases.push_back(slice("size", bits(dtype, {size + 3}), {{1}, {size + 1}, {0}, {1}}));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(slice("layout", bits(dtype, {3, 5, 7}).in(layout), {{2, 5}, {0, 0}, {0, 2}, {-1, -2}}));
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(slice("dtype", bits(dtype, {5, 7}), {{4, 1}, {0, 6}, {0, 1}, {-2, 2}}));
    if (is_float(dtype))
      cases.push_back(slice("specials", reals(dtype, {33}, special_reals()), {{-1}, {kFirst}, {0}, {-1}}));
  }
  cases.push_back(slice("weight", bits(DBK_F32, {5, 7}).as(Origin::Param), {{1}, {4}, {0}, {1}}));
  cases.push_back(slice("grid", bits(DBK_F16, {70003, 62}), {{1, 61}, {70002, 0}, {0, 1}, {1, -1}}));
  cases.push_back(slice("grid", bits(DBK_I32, {2 * kOverGrid}), {{1}, {kLast}, {0}, {2}}));
  return cases;
}

}  // namespace ops
