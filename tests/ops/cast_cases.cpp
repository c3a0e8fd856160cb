// Cast: every pair of types, with numbers inside and outside the target's range; every code of types below 16 bits, and what rounds to
// them. Where the family has no kernel for a pair the node must be on the host: f64 from or to anything, 32- and 64-bit integers from or
// to types below 16 bits.
#include "host_fallback/number_block.h"
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Type {
  DType dtype;
  int64_t onnx;  // TensorProto.DataType
};
constexpr Type kTypes[] = {{DBK_F32, 1},  {DBK_U8, 2},   {DBK_I8, 3},   {DBK_U16, 4},  {DBK_I16, 5},
                           {DBK_I32, 6},  {DBK_I64, 7},  {DBK_BOOL, 9}, {DBK_F16, 10}, {DBK_F64, 11},
                           {DBK_U32, 12}, {DBK_U64, 13}, {DBK_BF16, 16}};
constexpr Type kSmallFloats[] = {{DBK_F8_E4M3FN, 17}, {DBK_F8_E4M3FNUZ, 18}, {DBK_F8_E5M2, 19}, {DBK_F8_E5M2FNUZ, 20}, {DBK_F4_E2M1FN, 23},
                                 {DBK_F8_E8M0FNU, 24}};
constexpr Type kSmallInts[] = {{DBK_U4, 21}, {DBK_I4, 22}, {DBK_U2, 25}, {DBK_I2, 26}};

Place place_of(DType from, DType to) {
  constexpr dbk::DTypeSet kSmall = dbk::SMALL_INTS | dbk::SMALL_FLOATS;
  constexpr dbk::DTypeSet kThroughFloat = dbk::F32 | dbk::F16 | dbk::BF16 | dbk::I8 | dbk::U8 | dbk::I16 | dbk::U16 | dbk::BOOL | kSmall;
  if (from == DBK_F64 || to == DBK_F64) return Place::Host;
  if (!dbk::contains(kSmall, from) && !dbk::contains(kSmall, to)) return Place::ByRow;
  return dbk::contains(kThroughFloat, from) && dbk::contains(kThroughFloat, to) ? Place::ByRow : Place::Host;
}

Operand numbers(DType from, int64_t size) {
  if (is_float(from))
    return reals(from, {size},
                 {0.0,
                  -0.0,
                  1.0,
                  -1.0,
                  0.5,
                  -0.5,
                  1.5,
                  2.5,
                  -2.5,
                  127.5,
                  128.0,
                  -128.0,
                  -129.0,
                  255.5,
                  256.0,
                  300.7,
                  -300.7,
                  32768.0,
                  65504.0,
                  65519.9,
                  70000.0,
                  -70000.0,
                  1e-3,
                  1e-7,
                  2049.0,
                  16777217.0,
                  2147483520.0,
                  3e9,
                  -3e9,
                  1e19,
                  -1e19,
                  1e38,
                  std::numeric_limits<double>::infinity(),
                  -std::numeric_limits<double>::infinity(),
                  std::numeric_limits<double>::quiet_NaN()});
  if (from == DBK_BOOL) return tensor(from, {size});
  std::vector<int64_t> values = special_integers(from);
  values.insert(values.end(), {0, -1, 100, 127, 128, 255, 256, -128, -129, 65504, 65519, 65520, 2049, 2051, 16777217,
                               33554435, -2147483647});
  return list(from, {size}, values);
}

// 2^k with neighbours, halves and quarters of the last bit that f32 keeps, both signs.
Operand wide_integers(DType dtype) {
  std::vector<int64_t> values;
  for (int k = 0; k < 63; ++k) {
    const int64_t power = int64_t{1} << k, last = k >= 24 ? int64_t{1} << (k - 23) : 1, half = std::max<int64_t>(last / 2, 1);
    for (int64_t v : {power, power - 1, power + 1, power + last, power + half, power + half + 1, power + half - 1,
                      power + last + half, power + last + half - 1, power + last + half + 1, power + (power - last) + half})
      values.insert(values.end(), {v, -v});
  }
  values.insert(values.end(), {0, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()});
  return list(dtype, {static_cast<int64_t>(values.size())}, values);
}

OpCase cast(const char* name, const Operand& operand, const Type& to) {
  return OpCase(std::string(name) + " to " + dbk::to_string(to.dtype), {operand}, {{"to", to.onnx}})
      .at(place_of(operand.dtype, to.dtype));
}

constexpr uint32_t kNewest = 25;

OpCase newest(OpCase test, std::vector<dbk::Attribute> more = {}) {
  for (dbk::Attribute& a : more) test.attrs.set(a.name, a.value);
  return test.with_opset(kNewest);
}

// All codes of a type, in a number of elements that ends inside a word.
Operand all_codes(DType dtype) { return sweep(dtype, dbk::bits_of(dtype) == 8 ? 259 : 517); }

void add_small_type(Cases& cases, const Type& small, bool real) {
  for (const Type& other : kTypes) {
    cases.push_back(newest(cast("codes", all_codes(small.dtype), other)));
    cases.push_back(newest(cast("numbers", numbers(other.dtype, 71), small)));
    if (real) cases.push_back(newest(cast("beyond", numbers(other.dtype, 71), small), {{"saturate", int64_t{0}}}));
  }
  for (const auto* others : {&kSmallFloats[0], &kSmallInts[0]})
    for (const Type& other : std::span(others, others == kSmallFloats ? std::size(kSmallFloats) : std::size(kSmallInts)))
      cases.push_back(newest(cast("small", all_codes(small.dtype), other)));
  for (int64_t size : kSizes) {
    cases.push_back(newest(cast("size", tensor(DBK_F32, {size}), small)));
    cases.push_back(newest(cast("size", bits(small.dtype, {size}), kTypes[0])));
  }
  cases.push_back(newest(cast("sweep", sweep(DBK_F16, 1 << 16), small)));
  cases.push_back(newest(cast("sweep", sweep(DBK_F32, 1 << 16), small)));
  cases.push_back(newest(cast("weight", bits(small.dtype, {3, 5}).as(Origin::Param), kTypes[0])));
}

void add_small(Cases& cases) {
  for (const Type& small : kSmallFloats) add_small_type(cases, small, true);
  for (const Type& small : kSmallInts) add_small_type(cases, small, false);
  for (const char* mode : {"up", "down", "nearest"})
    for (int64_t saturate : {0, 1})
      cases.push_back(newest(cast("powers", sweep(DBK_F32, 1 << 16), kSmallFloats[5]),
                             {{"round_mode", std::string(mode)}, {"saturate", saturate}}));
}

}  // namespace

Cases cast_cases(const dbk::OpRow&) {
  Cases cases;
  for (const Type& from : kTypes)
    for (const Type& to : kTypes) cases.push_back(cast("pair", numbers(from.dtype, 70), to));
  const Type& i64 = kTypes[6];
  const Type &f32 = kTypes[0], &u8 = kTypes[1], &i8 = kTypes[2], &i16 = kTypes[4], &i32 = kTypes[5], &boolean = kTypes[7],
             &f16 = kTypes[8], &u32 = kTypes[10], &u64 = kTypes[11], &bf16 = kTypes[12];
  for (const auto& [from, to] :
       {std::pair{f32, f16}, {f16, f32}, {boolean, f32}, {f32, boolean}, {i32, i8}, {boolean, u8}, {f16, i32}, {i64, f32},
        {f32, i64}, {i64, boolean}, {i32, i64}, {i64, i32}, {i16, f16}, {u8, i64}, {bf16, f32}, {f32, bf16}, {f32, u8}}) {
    for (int64_t size : kSizes) cases.push_back(cast("size", tensor(from.dtype, {size}), to));
    for (const Shape& shape : ranked_shapes()) cases.push_back(cast("rank", tensor(from.dtype, shape), to));
    for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated})
      cases.push_back(cast("layout", tensor(from.dtype, {3, 5, 7}).in(layout), to));
  }
  cases.push_back(cast("weight", tensor(DBK_F32, {3, 5}).as(Origin::Param), f16));
  cases.push_back(cast("rounding", tensor(DBK_F32, {20011}).within(-70000, 70000), f16));
  cases.push_back(cast("rounding", tensor(DBK_I32, {20011}).within(-2e9, 2e9), f32));
  cases.push_back(cast("rounding", tensor(DBK_I32, {20011}).within(-70000, 70000), f16));
  for (const Type& to : {f32, f16})  // every leading bit, and fractions of the last bit that stays
    for (DType from : {DBK_I64, DBK_U64}) cases.push_back(cast("rounding", wide_integers(from), to));
  for (const Type& to : {i64, u64})
    for (double size : {1e3, 1e8, 1e12, 1e17, 9e18, 2e19})
      cases.push_back(cast("whole", tensor(DBK_F32, {4099}).within(-size, size), to));
  for (const Type& to : {u8, i8, i16, i32, u32, i64, u64, boolean, bf16})
    for (DType from : {DBK_F32, DBK_F16, DBK_BF16}) cases.push_back(cast("all", sweep(from, 1 << 18), to));
  cases.push_back(cast("grid", tensor(DBK_BOOL, {kOverVectorGrid}), f16));
  add_small(cases);
  return cases;
}

// The same kernels: every pair once.
Cases cast_like_cases(const dbk::OpRow&) {
  Cases cases;
  for (const Type& from : kTypes)
    for (const Type& to : kTypes)
      cases.push_back(OpCase("pair", {tensor(from.dtype, {70}).within(0, 10), tensor(to.dtype, {2, 0})}).at(place_of(from.dtype, to.dtype)));
  for (const Type& small : {kSmallFloats[0], kSmallFloats[5], kSmallInts[1]}) {
    cases.push_back(newest(OpCase("to small", {tensor(DBK_F32, {70}), tensor(small.dtype, {})})));
    cases.push_back(newest(OpCase("from small", {all_codes(small.dtype), tensor(DBK_F32, {})})));
  }
  return cases;
}

}  // namespace ops
