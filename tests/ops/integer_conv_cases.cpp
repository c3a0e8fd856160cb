// ConvInteger and QLinearConv: both types of bytes, one to three spatial axes, groups, strides, dilation,
// padding, zero points and scales of channels.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using List = std::vector<int64_t>;

struct Problem {
  Shape x, w;
  std::vector<dbk::Attribute> attrs;
};
const std::vector<Problem>& problems() {
  static const std::vector<Problem> list{
      {{1, 1, 3, 3}, {1, 1, 2, 2}, {}},
      {{2, 3, 9}, {4, 3, 3}, {{"pads", List{1, 2}}, {"strides", List{2}}}},
      {{1, 4, 7, 5}, {6, 2, 3, 3}, {{"group", int64_t{2}}, {"dilations", List{2, 1}}, {"pads", List{2, 1, 2, 1}}}},
      {{1, 3, 8, 8}, {3, 1, 3, 3}, {{"group", int64_t{3}}, {"auto_pad", std::string("SAME_UPPER")}}},
      {{2, 2, 4, 3, 5}, {70, 2, 2, 2, 2}, {}},
      {{1, 65, 6, 6}, {5, 65, 1, 1}, {}},
      {{0, 2, 5}, {3, 2, 3}, {}}};
  return list;
}

}  // namespace

Cases integer_conv_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType x : {DBK_U8, DBK_I8})
    for (DType w : {DBK_U8, DBK_I8})
      for (const Problem& p : problems()) {
        const Shape one{}, channels{p.w[0]};
        if (row.id == "conv_integer") {
          cases.push_back({"plain", {bits(x, p.x), bits(w, p.w)}, p.attrs});
          cases.push_back({"zeros", {bits(x, p.x), bits(w, p.w), bits(x, one), bits(w, channels)}, p.attrs});
          continue;
        }
        for (const Shape& numbers : {one, channels})
          cases.push_back({"codes",
                           {bits(x, p.x), reals(DBK_F32, one, {0.5}), bits(x, one), bits(w, p.w),
                            reals(DBK_F32, numbers, {0.5, 1, 0.25}), bits(w, numbers), reals(DBK_F32, one, {32}),
                            list(x, one, {5}), tensor(DBK_I32, channels).within(-999, 999)},
                           p.attrs});
      }
  return cases;
}

}  // namespace ops
