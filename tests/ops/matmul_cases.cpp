// MatMul: extents around tiles and vectors, vectors for matrices, batches that broadcast in all positions, nothing to
// add up, long sums, B as an input and as a weight. Integers and mixed batches beyond what kernels walk are the host's.
#include <numeric>

#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Extents {
  int64_t m, k, n;
};
constexpr Extents kExtents[] = {
    {1, 1, 1},     {1, 7, 1},    {3, 5, 7},      {4, 4, 4},       {17, 31, 13},  {63, 65, 64},  {64, 64, 64},
    {65, 64, 63},  {1, 64, 257}, {257, 64, 1},   {1, 4096, 33},   {33, 4096, 1}, {5, 4096, 64}, {2, 4, 64},
    {128, 20, 96}, {7, 68, 260}, {31, 132, 128}, {100, 256, 100}, {2, 3, 1021},  {1021, 3, 2},  {16, 1, 16},
    {5, 212, 64},  {37, 384, 48}, {9, 1536, 32},  {130, 100, 16}, {8, 263, 37},  {2, 65541, 5}, {9, 65536, 16}};

struct Pair {
  Shape a, b;
};
const std::vector<Pair>& batches() {
  static const std::vector<Pair> pairs{{{5}, {5}},
                                       {{5}, {5, 3}},
                                       {{3, 5}, {5}},
                                       {{2, 3, 5}, {5}},
                                       {{5}, {2, 5, 3}},
                                       {{4}, {2, 3, 4, 5}},
                                       {{2, 3, 5}, {2, 5, 7}},
                                       {{2, 3, 5}, {5, 7}},
                                       {{3, 5}, {2, 5, 7}},
                                       {{1, 3, 5}, {4, 5, 7}},
                                       {{4, 3, 5}, {1, 5, 7}},
                                       {{4, 3, 68}, {1, 68, 48}},
                                       {{2, 1, 3, 8}, {1, 4, 8, 64}},
                                       {{2, 4, 3, 8}, {4, 8, 7}},
                                       {{2, 1, 3, 4, 5}, {1, 3, 1, 5, 6}},
                                       {{2, 3, 2, 4, 8}, {2, 3, 2, 8, 64}},
                                       {{3, 1, 2, 2}, {1, 2, 2, 3}},
                                       {{12, 17, 64}, {12, 64, 17}},
                                       {{2, 65, 68}, {68, 128}}};
  return pairs;
}

OpCase product(const char* name, DType dtype, const Shape& a, const Shape& b, Origin origin = Origin::Input) {
  return {name, {tensor(dtype, a), tensor(dtype, b).as(origin)}};
}

void add_extents(Cases& cases, DType dtype, Origin origin) {
  for (const Extents& e : kExtents) cases.push_back(product("extents", dtype, {e.m, e.k}, {e.k, e.n}, origin));
  for (const Pair& pair : batches()) cases.push_back(product("batch", dtype, pair.a, pair.b, origin));
}

void add_empty(Cases& cases, DType dtype) {
  for (const Extents& e : {Extents{3, 0, 5}, {0, 4, 5}, {3, 4, 0}, {0, 0, 0}, {1, 0, 64}, {65, 0, 128}}) {
    cases.push_back(product("empty", dtype, {e.m, e.k}, {e.k, e.n}));
    if (e.k == 0) cases.push_back(product("empty", dtype, {2, e.m, e.k}, {2, e.k, e.n}));
  }
  cases.push_back(product("empty", dtype, {0, 3, 5}, {0, 5, 7}));
  cases.push_back(product("empty", dtype, {0}, {0}));
}

void add_numbers(Cases& cases, DType dtype) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  // 6e4 * 6e4 leaves f16 but not f32, in one product, in a sum, and where the sum comes back.
  cases.emplace_back("over f16",
                     std::vector{reals(dtype, {2, 2}, {6e4, 0, 6e4, 1}), reals(dtype, {2, 2}, {6e4, 1, 0, 2})});
  cases.emplace_back("over f16", std::vector{reals(dtype, {4, 64}, {6e4, -6e4}), reals(dtype, {64, 64}, {6e4})});
  cases.emplace_back("specials", std::vector{reals(dtype, {6, 4}, {kInf, 0,     0, 0, kNan, 1, 1, 1, -kInf, 1, 1, 1, 1,
                                                                   kInf, -kInf, 1, 0, 0,    0, 0, 1, 2,     3, 4}),
                                             tensor(dtype, {4, 64}).within(1, 2)});
  cases.emplace_back("denormals", std::vector{reals(dtype, {6, 8}, {1e-40, -3e-39, 0, 6e-8, 2e-42, 1e-39, -6e-6}),
                                              tensor(dtype, {8, 20}).within(0.5, 2)});
  cases.emplace_back("one sign",
                     std::vector{tensor(dtype, {5, 4096}).within(0.5, 1), tensor(dtype, {4096, 64}).within(0.5, 1)});
}

void add_layouts(Cases& cases, DType dtype) {
  using enum Layout;
  for (const auto& [a, b] : {std::pair{Unaligned, Unaligned},
                             {Transposed, Dense},
                             {Dense, Transposed},
                             {Sliced, Reversed},
                             {Reversed, Sliced},
                             {Repeated, Dense}})
    cases.emplace_back("layout", std::vector{tensor(dtype, {2, 9, 12}).in(a), tensor(dtype, {12, 7}).in(b)});
}

// SplitMatMul: widths that fit tiles and vectors and none that do, parts of one column or none, few rows and many, batches of A and of B.
struct Parts {
  Shape a;
  int64_t k;
  std::vector<int64_t> widths;
  Shape batch_b = {};
};
const std::vector<Parts>& parts() {
  static const std::vector<Parts> list{
      {{8}, 64, {64, 64, 64}},    {{40}, 384, {48, 16, 16}},  {{33}, 100, {32, 32}},       {{5}, 212, {20, 12, 32}},    {{37}, 132, {16, 8, 40}},
      {{1}, 64, {64, 16, 16}},    {{1}, 7, {1, 1, 1}},        {{7}, 33, {1, 2}},           {{65}, 31, {13, 37, 5}},     {{9}, 16, {17, 64, 3}},
      {{3}, 20, {31, 30}},        {{130}, 68, {60, 4, 128}},  {{2, 9}, 384, {96, 32, 32}}, {{3, 1, 5}, 12, {7, 11, 2}}, {{2, 4}, 64, {20, 44}, {2}},
      {{2, 3, 17}, 36, {16, 32, 16}, {3}}, {{6}, 4096, {30, 1, 5}}, {{17}, 4096, {16, 16, 32}}, {{4}, 24, {0, 16, 8}}, {{4}, 24, {12, 20, 0}},
      {{0}, 16, {16, 16}},        {{3, 0}, 16, {5, 3, 2}},    {{6}, 0, {16, 7, 9}},        {{8}, 1021, {257, 3, 12}}};
  return list;
}

OpCase split_product(const char* name, DType dtype, const Parts& p, Origin origin) {
  Shape a = p.a, b = p.batch_b;
  a.push_back(p.k), b.push_back(p.k), b.push_back(std::accumulate(p.widths.begin(), p.widths.end(), int64_t{0}));
  return OpCase(name, {tensor(dtype, a), tensor(dtype, b).as(origin)}, {{"widths", p.widths}})
      .wanting(std::vector<bool>(p.widths.size(), true));
}

Cases split_matmul_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row))
    for (const Parts& p : parts())
      for (Origin origin : {Origin::Param, Origin::Input}) cases.push_back(split_product("parts", dtype, p, origin));
  cases.push_back(split_product("grid", DBK_F32, {{70001}, 3, {1, 2, 1}}, Origin::Input));  // once: the grid knows neither type nor origin
  for (DType dtype : dtypes_of(row, 0)) cases.push_back(split_product("dtype", dtype, {{3}, 5, {4, 1, 2}}, Origin::Input));
  return cases;
}

}  // namespace

Cases matmul_cases(const dbk::OpRow& row) {
  if (row.id == "split_matmul") return split_matmul_cases(row);
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    add_extents(cases, dtype, Origin::Input);
    add_extents(cases, dtype, Origin::Param);
    add_empty(cases, dtype);
    add_layouts(cases, dtype);
    cases.push_back(product("grid", dtype, {70001, 1, 2}, {70001, 2, 1}));
    if (dtype != DBK_F16) cases.push_back(product("grid", dtype, {280001, 3}, {3, 2}));  // whose grids are those of f32
    cases.push_back(product("A is a weight", dtype, {3, 5}, {5, 7}));
    cases.back().inputs[0].origin = Origin::Param;
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(product("dtype", dtype, {3, 5}, {5, 7}));
    if (is_float(dtype))
      add_numbers(cases, dtype);
    else
      cases.emplace_back("wraps", std::vector{list(dtype, {2, 8}, special_integers(dtype)),
                                              list(dtype, {8, 2}, special_integers(dtype))});
  }
  return cases;
}

}  // namespace ops
