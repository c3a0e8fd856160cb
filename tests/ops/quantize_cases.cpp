// QuantizeLinear and DequantizeLinear: every type, one scale, scales of an axis, blocks, with and without zero points.
// Scales are powers of two, so that quotients are exact and ties are ties on every adapter, or quotients lie a quarter
// from the next boundary.
#include "host_fallback/number_block.h"
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

constexpr uint32_t kNewest = 25;
constexpr DType kCodes[] = {DBK_I8, DBK_U8,        DBK_I16,         DBK_U16,     DBK_I4,          DBK_U4,       DBK_I2,
                            DBK_U2, DBK_F8_E4M3FN, DBK_F8_E4M3FNUZ, DBK_F8_E5M2, DBK_F8_E5M2FNUZ, DBK_F4_E2M1FN};
constexpr DType kReals[] = {DBK_F32, DBK_F16, DBK_BF16};

struct Grain {
  const char* name;
  Shape x, scale;
  int64_t axis, block;
};
const std::vector<Grain>& grains() {
  static const std::vector<Grain> list{
      {"one", {3, 5, 7}, {}, 1, 0},          {"one", {67}, {1}, 1, 0},           {"axis", {3, 5, 7}, {5}, 1, 0},
      {"axis", {3, 5, 7}, {7}, -1, 0},       {"axis", {65, 3}, {65}, 0, 0},      {"block", {3, 8, 5}, {3, 4, 5}, 1, 2},
      {"block", {3, 7, 5}, {3, 3, 5}, 1, 3}, {"block", {2, 64}, {2, 2}, -1, 32}, {"block", {33, 4}, {3, 4}, 0, 16},
      {"block", {4, 3}, {1, 3}, 0, 9},       {"empty", {0, 3}, {3}, 1, 0},       {"scalar", {}, {}, 1, 0}};
  return list;
}

std::vector<dbk::Attribute> attributes(const Grain& g) { return {{"axis", g.axis}, {"block_size", g.block}}; }

Operand scales(DType dtype, const Shape& shape) { return reals(dtype, shape, {0.25, 2, 0.5, 1, 4}); }
Operand zeros(DType dtype, const Shape& shape) { return list(dtype, shape, {1, 0, 1, 1, 0}); }
bool integer(DType dtype) { return !dbk::contains(dbk::SMALL_FLOATS, dtype); }

OpCase newest(const char* name, std::vector<Operand> operands, std::vector<dbk::Attribute> attrs = {}) {
  return OpCase(name, std::move(operands), std::move(attrs)).with_opset(kNewest);
}

// The ops of com.microsoft: fewer types, no blocks.
constexpr DType kMicrosoftCodes[] = {DBK_I8, DBK_U8, DBK_I16, DBK_U16, DBK_I4, DBK_U4};

Cases microsoft_cases(bool quantizes) {
  Cases cases;
  for (DType real : {DBK_F32, DBK_F16})
    for (DType code : kMicrosoftCodes)
      for (const Grain& g : grains()) {
        if (g.block > 0) continue;
        const Operand x = quantizes ? tensor(real, g.x).within(-40, 40) : bits(code, g.x);
        cases.push_back(OpCase(g.name, {x, scales(real, g.scale), zeros(code, g.scale)}, {{"axis", g.axis}}));
      }
  return cases;
}

}  // namespace

Cases quantize_cases(const dbk::OpRow& row) {
  if (row.domain != "") return microsoft_cases(true);
  Cases cases;
  for (DType real : kReals)
    for (DType code : kCodes)
      for (const Grain& g : grains()) {
        const Operand x = tensor(real, g.x).within(-40, 40);
        cases.push_back(newest(g.name, {x, scales(real, g.scale), zeros(code, g.scale)}, attributes(g)));
      }
  for (DType code : kCodes) {
    // Ties, bounds and specials.
    std::vector<double> values = special_reals();
    for (int i = -40; i <= 40; ++i) values.push_back(i * 0.25);
    for (double bound : {127.0, 128.0, 255.0, 256.0, 32767.0, 65535.0, 448.0, 464.0, 240.0, 57344.0})
      values.insert(values.end(), {bound, -bound, bound + 0.5});
    cases.push_back(newest("numbers", {reals(DBK_F32, {151}, values), reals(DBK_F32, {}, {0.5}), zeros(code, {})}));
    if (!integer(code))
      cases.push_back(newest("beyond", {reals(DBK_F32, {151}, values), reals(DBK_F32, {}, {0.5}), zeros(code, {})},
                             {{"saturate", int64_t{0}}}));
    for (int64_t size : kSizes)
      cases.push_back(newest("size", {tensor(DBK_F32, {size}), reals(DBK_F32, {}, {0.25}), zeros(code, {})}));
  }
  std::vector<double> quarters;  // (k + 1/4) * 0.3 is no boundary for any rounding of the division
  for (int k = -300; k < 300; ++k) quarters.push_back((k + 0.25) * 0.3);
  cases.push_back(newest("quotient", {reals(DBK_F32, {600}, quarters), reals(DBK_F32, {}, {0.3}), zeros(DBK_U8, {})}));
  cases.push_back(newest("no zero point", {tensor(DBK_F32, {77}), reals(DBK_F32, {}, {0.5})}));
  cases.push_back(
      newest("no zero point", {tensor(DBK_F32, {77}), reals(DBK_F32, {}, {0.5})}, {{"output_dtype", int64_t{22}}}));
  cases.push_back(
      newest("integers", {tensor(DBK_I32, {77}).within(-1000, 1000), reals(DBK_F32, {}, {0.5}), zeros(DBK_I16, {})}));
  cases.push_back(newest("precision",
                         {tensor(DBK_F32, {77}).within(-4000, 4000), reals(DBK_F32, {}, {1}), zeros(DBK_I16, {})},
                         {{"precision", int64_t{10}}}));
  cases.push_back(newest("powers", {tensor(DBK_F32, {77}), reals(DBK_F8_E8M0FNU, {}, {0.5}), zeros(DBK_I8, {})}));
  cases.push_back(
      newest("weights",
             {tensor(DBK_F32, {5, 7}), scales(DBK_F32, {5}).as(Origin::Param), zeros(DBK_I8, {5}).as(Origin::Const)},
             {{"axis", int64_t{0}}}));
  cases.push_back(
      newest("layout", {tensor(DBK_F32, {3, 5, 7}).in(Layout::Transposed), scales(DBK_F32, {5}), zeros(DBK_U8, {5})}));
  cases.push_back(newest("grid", {tensor(DBK_F32, {kOverVectorGrid}), reals(DBK_F32, {}, {0.25}), zeros(DBK_I8, {})}));
  return cases;
}

Cases dequantize_cases(const dbk::OpRow& row) {
  if (row.domain != "") return microsoft_cases(false);
  Cases cases;
  for (DType real : kReals)
    for (DType code : kCodes)
      for (const Grain& g : grains()) {
        const Operand x = integer(code) ? bits(code, g.x) : list(code, g.x, {0, 1, -2, 3, 4, -6});
        cases.push_back(newest(g.name, {x, tensor(real, g.scale).within(0.1, 3), zeros(code, g.scale)}, attributes(g)));
      }
  for (DType code : kCodes) {
    for (int64_t size : kSizes) cases.push_back(newest("size", {bits(code, {size}), reals(DBK_F32, {}, {0.3})}));
    cases.push_back(newest("codes", {sweep(code, dbk::bits_of(code) == 8 ? 259 : 517), reals(DBK_F32, {}, {0.3})}));
    if (dbk::contains(dbk::PLAIN, code)) cases.back().inputs[0].fill = Fill::Bits;
  }
  cases.push_back(newest("wide", {bits(DBK_I32, {77}), reals(DBK_F32, {}, {0.5})}));
  cases.push_back(
      newest("powers", {bits(DBK_U8, {77}), reals(DBK_F8_E8M0FNU, {}, {0.5})}, {{"output_dtype", int64_t{1}}}));
  cases.push_back(
      newest("other type", {bits(DBK_U8, {77}), reals(DBK_F32, {}, {0.5})}, {{"output_dtype", int64_t{16}}}));
  cases.push_back(newest("weights",
                         {bits(DBK_I4, {5, 7}).as(Origin::Param), scales(DBK_F32, {5}).as(Origin::Param),
                          zeros(DBK_I4, {5}).as(Origin::Param)},
                         {{"axis", int64_t{0}}}));
  cases.push_back(
      newest("layout", {bits(DBK_I8, {3, 5, 7}).in(Layout::Sliced), scales(DBK_F32, {5}), zeros(DBK_I8, {5})}));
  cases.push_back(newest("grid", {bits(DBK_U8, {kOverGrid}), reals(DBK_F32, {}, {0.25})}));
  return cases;
}

}  // namespace ops
