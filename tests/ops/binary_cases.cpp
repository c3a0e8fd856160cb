// Element-wise ops of two operands: every position of a broadcast, periods that are and are not multiples of a vector,
// all pairs of special numbers, many pairs of any size, one to five operands of Max and Min, exponents of another type.
// The first op of each type stands for the frames: every shape and layout; Add for large grids.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Pair {
  Shape a, b;
};

const std::vector<Pair>& broadcasts() {
  static const std::vector<Pair> pairs{{{}, {}},
                                       {{}, {5}},
                                       {{5}, {}},
                                       {{1}, {7}},
                                       {{7}, {1}},
                                       {{3, 5}, {5}},
                                       {{5}, {3, 5}},
                                       {{3, 5}, {3, 1}},
                                       {{3, 1}, {1, 5}},
                                       {{1, 5}, {3, 1}},
                                       {{2, 3, 4}, {4}},
                                       {{2, 3, 4}, {3, 4}},
                                       {{8}, {2, 3, 8}},
                                       {{2, 3, 4}, {2, 1, 1}},
                                       {{2, 3, 4}, {2, 1, 4}},
                                       {{5, 64}, {64}},
                                       {{5, 65}, {65}},
                                       {{64}, {65, 64}},
                                       {{1, 1, 4}, {6, 4}},
                                       {{16}, {2, 1, 16}},
                                       {{0}, {1}},
                                       {{3, 0}, {3, 1}},
                                       {{2, 0}, {0}},
                                       {{2, 1, 3, 1}, {1, 4, 1, 5}},
                                       {{257, 3}, {257, 1}},
                                       {{4, 1, 3, 1, 2}, {1, 5, 1, 2, 1}},
                                       {{2, 1, 2, 1, 2, 3}, {1, 3, 1, 2, 2, 1}}};
  return pairs;
}

void add_shapes(Cases& cases, DType dtype) {
  for (int64_t size : kSizes) cases.emplace_back("size", std::vector{tensor(dtype, {size}), tensor(dtype, {size})});
  for (const Shape& shape : ranked_shapes())
    cases.emplace_back("rank", std::vector{tensor(dtype, shape), tensor(dtype, shape)});
  for (const Pair& pair : broadcasts())
    cases.emplace_back("broadcast", std::vector{tensor(dtype, pair.a), tensor(dtype, pair.b)});
  cases.emplace_back("weights", std::vector{tensor(dtype, {3, 5}), tensor(dtype, {5}).as(Origin::Param)});
  cases.emplace_back("weights", std::vector{tensor(dtype, {3, 1}).as(Origin::Const), tensor(dtype, {3, 5})});
}

// One of each way through the frames: equal shapes, a scalar, a row, a column, both repeated, nothing.
void add_few_shapes(Cases& cases, DType dtype) {
  const Pair pairs[] = {{{1}, {1}}, {{257}, {257}}, {{5}, {}}, {{}, {7}}, {{5, 65}, {65}}, {{64}, {65, 64}}, {{3, 5}, {3, 1}}, {{3, 1}, {1, 5}},
                        {{3, 0}, {3, 1}}, {{4, 1, 3, 1, 2}, {1, 5, 1, 2, 1}}};
  for (const Pair& pair : pairs) cases.emplace_back("shapes", std::vector{tensor(dtype, pair.a), tensor(dtype, pair.b)});
  cases.emplace_back("layout", std::vector{tensor(dtype, {3, 5, 7}).in(Layout::Sliced), tensor(dtype, {3, 1, 7}).in(Layout::Reversed)});
}

void add_layouts(Cases& cases, DType dtype) {
  using enum Layout;
  for (const auto& [a, b] : {std::pair{Unaligned, Unaligned},
                             {Transposed, Dense},
                             {Dense, Transposed},
                             {Sliced, Reversed},
                             {Repeated, Sliced},
                             {Reversed, Repeated}})
    cases.emplace_back("layout", std::vector{tensor(dtype, {3, 5, 7}).in(a), tensor(dtype, {3, 1, 7}).in(b)});
}

// Rows of one list against columns of the other: all pairs.
OpCase all_pairs(DType dtype, const std::vector<double>& a, const std::vector<double>& b) {
  return {"specials",
          {reals(dtype, {static_cast<int64_t>(a.size()), 1}, a), reals(dtype, {static_cast<int64_t>(b.size())}, b)}};
}

void add_specials(Cases& cases, const dbk::OpRow& row, DType dtype) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  if (dtype == DBK_BOOL) return;
  if (row.id == "pow") {
    if (!is_float(dtype)) return;
    cases.push_back(all_pairs(dtype, {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, kInf, -kInf, kNan, 0.5, 6e4, 1.5},
                              {0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 0.5, -0.5, kInf, -kInf, kNan, 10.0}));
  } else if (is_float(dtype)) {
    const std::vector<double> values = special_reals();
    cases.push_back(all_pairs(dtype, values, values));
  } else {
    const std::vector<int64_t> values = special_integers(dtype);
    std::vector<int64_t> divisors = values;
    if (row.id == "div" || row.id == "mod") std::erase(divisors, 0);
    const auto count = static_cast<int64_t>(divisors.size());
    cases.emplace_back("specials", std::vector{list(dtype, {8, 1}, values), list(dtype, {count}, divisors)});
    if (dbk::contains(dbk::I8 | dbk::I16 | dbk::I32 | dbk::I64, dtype))
      cases.emplace_back(
          "negative", std::vector{tensor(dtype, {257}).within(-100, 100), list(dtype, {257}, {-3, 2, -1, 7, -7, 5})});
  }
}

void add_variadic(Cases& cases, const dbk::OpRow& row, DType dtype) {
  const bool mean = row.id == "mean";  // no chain of two-operand nodes
  cases.push_back(OpCase("one", {tensor(dtype, {3, 5})}).at(mean ? Place::ByRow : Place::View));
  cases.push_back({"three", {tensor(dtype, {3, 1, 5}), tensor(dtype, {2, 5}), tensor(dtype, {})}});
  cases.push_back({"five", {tensor(dtype, {65}), tensor(dtype, {1}), tensor(dtype, {65}), tensor(dtype, {2, 65}), tensor(dtype, {65})}});
  if (!mean) return;
  const double most = dtype == DBK_F16 ? 6e4 : 3e38;
  cases.push_back({"large", {reals(dtype, {2, 2}, {most, -most, 1, 0}), reals(dtype, {2}, {most, 1}), reals(dtype, {1}, {most})}});
  cases.push_back({"empty", {tensor(dtype, {3, 0}), tensor(dtype, {1}), tensor(dtype, {3, 1})}});
}

// What an op cannot do without.
std::vector<dbk::Attribute> attributes_of(const dbk::OpRow& row) {
  if (row.id == "mod") return {{"fmod", int64_t{1}}};
  if (row.id == "bit_shift") return {{"direction", std::string("LEFT")}};
  return {};
}

void add_directions(Cases& cases, const dbk::OpRow& row) {
  for (DType dtype : dtypes_of(row, 0)) {
    if (is_float(dtype)) continue;
    const dbk::Attribute turned = row.id == "mod" ? dbk::Attribute{"fmod", int64_t{0}} : dbk::Attribute{"direction", std::string("RIGHT")};
    const std::vector<dbk::Attribute> other(1, turned);
    cases.emplace_back("other way", std::vector{list(dtype, {8, 1}, special_integers(dtype)), list(dtype, {5}, {1, 3, 7, 2, 100})}, other);
    if (dbk::contains(dbk::I8 | dbk::I16 | dbk::I32 | dbk::I64, dtype))
      cases.emplace_back("other way", std::vector{tensor(dtype, {257}).within(-100, 100), list(dtype, {257}, {-3, 2, -1, 7, -7, 5})}, other);
  }
}

// Powers of all sizes: steep, and of numbers close to 1, where the exponent magnifies an error of the logarithm.
void add_powers(Cases& cases, DType dtype) {
  const auto add = [&](double low, double high, double most) {
    cases.emplace_back("many", std::vector{tensor(dtype, {60013}).within(low, high),
                                           tensor(dtype, {60013}).within(-most, most)});
  };
  add(0.25, 3, 3);
  add(0.001, 1000, 12);
  add(0.7, 1.42, 240);
  add(0.99, 1.01, 8000);
}

// Exponents of every other type. Kernels have all but f64, and but floats of integers, which take double.
void add_exponents(Cases& cases, DType base) {
  const bool real = is_float(base);
  for (DType exponent : {DBK_F32, DBK_F16, DBK_BF16, DBK_F64, DBK_I8, DBK_U8, DBK_I16, DBK_U16, DBK_I32, DBK_U32, DBK_I64, DBK_U64}) {
    if (exponent == base) continue;
    const bool host = exponent == DBK_F64 || (!real && is_float(exponent)) || base == DBK_F64;
    const bool is_signed = dbk::contains(dbk::I8 | dbk::I16 | dbk::I32 | dbk::I64 | dbk::FLOATS, exponent);
    const auto add = [&](const char* name, const Operand& a, const Operand& b) { cases.push_back(OpCase(name, {a, b}).at(host ? Place::Host : Place::ByRow)); };
    add("exponent", tensor(base, {3, 5}), tensor(exponent, {5}).within(0, 3));
    add("exponent", tensor(base, {7, 1, 67}).within(real ? 0.5 : -9, real ? 2 : 9), tensor(exponent, {5, 1}).within(is_signed ? -9 : 0, 9));
    if (is_float(exponent)) continue;
    const std::vector<int64_t> extremes = special_integers(exponent);
    const Operand b = list(exponent, {static_cast<int64_t>(extremes.size())}, extremes);
    if (real) add("extremes", reals(base, {10, 1}, {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 1.5, 1e4}), b);
    else add("extremes", list(base, {8, 1}, special_integers(base)), b);
    if (dbk::bits_of(exponent) >= 32 && base == DBK_F32)  // near 1 every bit of an exponent counts
      add("long", reals(base, {4, 1}, {1 + 1.2e-7, 1 - 6e-8, -1 - 1.2e-7, 1.0001}), list(exponent, {6}, {700'000'001, 16'777'217, 100'001, 733'333'337, 300'000'000, 33'554'431}));
  }
}

void add_mixed_powers(Cases& cases, const dbk::OpRow& row) {
  for (DType base : dtypes_of(row, 0)) add_exponents(cases, base);
  for (DType dtype : {DBK_F32, DBK_F16}) {
    cases.emplace_back("square", std::vector{tensor(dtype, {257}).within(-9, 9), reals(dtype, {}, {2.0})});
    cases.emplace_back("whole",
                       std::vector{tensor(dtype, {64, 1}).within(-3, 3), reals(dtype, {7}, {-3, -2, -1, 0, 1, 2, 3})});
    cases.emplace_back("root", std::vector{tensor(dtype, {257}).within(0.001, 1000), reals(dtype, {1}, {0.5})});
  }
  for (DType dtype : {DBK_I32, DBK_I64})
    cases.emplace_back("integers", std::vector{list(dtype, {6, 1}, {-2, -1, 0, 1, 2, 3}), list(dtype, {7}, {0, 1, 2, 3, 62, -1, -2})});
}

bool fits(const Shape& from, const Shape& to) {
  for (uint32_t i = 1; i <= from.rank(); ++i) {
    if (i > to.rank()) return false;
    const int64_t a = from[from.rank() - i], b = to[to.rank() - i];
    if (a != b && a != 1) return false;
  }
  return true;
}

}  // namespace

Cases binary_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    if (!stands_for_frame(row, dtype)) {
      add_few_shapes(cases, dtype);
      continue;
    }
    add_shapes(cases, dtype);
    add_layouts(cases, dtype);
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.emplace_back("dtype", std::vector{tensor(dtype, {3, 5}), tensor(dtype, {5})});
    add_specials(cases, row, dtype);
    if (row.id == "max" || row.id == "min" || row.id == "sum" || row.id == "mean") add_variadic(cases, row, dtype);
    if (!is_float(dtype)) continue;
    if (row.id == "pow")
      add_powers(cases, dtype);
    else
      cases.emplace_back("many", std::vector{bits(dtype, {60013}), bits(dtype, {60013})});
  }
  if (row.id == "prelu") std::erase_if(cases, [](const OpCase& test) { return !fits(test.inputs[1].shape, test.inputs[0].shape); });
  for (OpCase& test : cases)
    for (const dbk::Attribute& attribute : attributes_of(row)) test.attrs.set(attribute.name, attribute.value);
  if (row.id == "mod" || row.id == "bit_shift") add_directions(cases, row);
  if (row.id == "pow") add_mixed_powers(cases, row);
  if (row.id == "add") {
    cases.emplace_back("grid", std::vector{tensor(DBK_F16, {kOverVectorGrid}), tensor(DBK_F16, {1})});
    cases.emplace_back("grid", std::vector{tensor(DBK_F32, {70001, 61}), tensor(DBK_F32, {61})});
    cases.emplace_back("grid", std::vector{tensor(DBK_I32, {70001, 1}), tensor(DBK_I32, {61})});
  }
  return cases;
}

}  // namespace ops
