// DynamicQuantizeLinear: ranges that are 255 steps of a power of two, whose scale, zero point and codes are exact, and
// ties in them; ranges beside zero, of zeros alone, of nothing.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

// From -below steps to 255 - below steps of 0.25, in no order, with halves of steps between.
Operand steps(int64_t size, int below) {
  std::vector<double> values{-below * 0.25, (255 - below) * 0.25};
  for (int i = 0; i < 255; ++i) values.push_back((i * 67 % 255 - below + (i % 3 == 0 ? 0.5 : 0)) * 0.25);
  return reals(DBK_F32, {size}, values);
}

}  // namespace

Cases dynamic_quantize_cases(const dbk::OpRow&) {
  Cases cases;
  for (int below : {0, 1, 100, 254, 255})
    for (int64_t size : {2, 3, 64, 65, 257, 1021, 70001})
      cases.push_back(OpCase("steps", {steps(size, below)}).wanting({true, true, true}));
  for (int64_t size : {0, 1, 2, 65})
    cases.push_back(OpCase("zeros", {reals(DBK_F32, {size}, {0})}).wanting({true, true, true}));
  cases.push_back(OpCase("codes alone", {steps(257, 100)}).wanting({true, false, false}));
  cases.push_back(OpCase("no scale", {steps(257, 100)}).wanting({true, false, true}));
  cases.push_back(OpCase("rank", {reals(DBK_F32, {3, 5, 7}, {0, 255, 12, 13.5})}).wanting({true, true, true}));
  cases.push_back(OpCase("NaN", {reals(DBK_F32, {7}, {0, 255, std::numeric_limits<double>::quiet_NaN(), 3})})
                      .wanting({true, true, true}));
  return cases;
}

}  // namespace ops
