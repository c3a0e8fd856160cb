// Element-wise ops of two operands whose results are bools: sizes around the four of a word, every position of a
// broadcast, all pairs of special numbers, 64-bit numbers that differ in one word alone. The first op of each type stands for the frame.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

struct Pair {
  Shape a, b;
};

void add_shapes(Cases& cases, DType dtype) {
  const auto add = [&](const char* name, const Shape& a, const Shape& b) {
    cases.emplace_back(name, std::vector{tensor(dtype, a), tensor(dtype, b)});
  };
  for (int64_t size : kSizes) add("size", {size}, {size});
  for (const Shape& shape : ranked_shapes()) add("rank", shape, shape);
  for (const Pair& pair : std::vector<Pair>{{{}, {5}},
                                            {{5}, {}},
                                            {{3, 5}, {5}},
                                            {{3, 5}, {3, 1}},
                                            {{3, 1}, {1, 5}},
                                            {{2, 3, 4}, {2, 1, 4}},
                                            {{5, 65}, {65}},
                                            {{3, 0}, {3, 1}},
                                            {{4, 1, 3, 1, 2}, {1, 5, 1, 2, 1}},
                                            {{2, 1, 2, 1, 2, 3}, {1, 3, 1, 2, 2, 1}}})
    add("broadcast", pair.a, pair.b);
  using enum Layout;
  for (const auto& [a, b] :
       {std::pair{Unaligned, Unaligned}, {Transposed, Dense}, {Sliced, Reversed}, {Repeated, Sliced}})
    cases.emplace_back("layout", std::vector{tensor(dtype, {3, 5, 7}).in(a), tensor(dtype, {3, 1, 7}).in(b)});
  cases.emplace_back("weights", std::vector{tensor(dtype, {3, 5}), tensor(dtype, {5}).as(Origin::Param)});
}

void add_few_shapes(Cases& cases, DType dtype) {
  for (const Pair& pair : std::vector<Pair>{{{1}, {1}}, {{257}, {257}}, {{5}, {}}, {{3, 5}, {3, 1}}, {{5, 65}, {65}}, {{3, 0}, {3, 1}}})
    cases.emplace_back("shapes", std::vector{tensor(dtype, pair.a), tensor(dtype, pair.b)});
  cases.emplace_back("layout", std::vector{tensor(dtype, {3, 5, 7}).in(Layout::Sliced), tensor(dtype, {3, 1, 7}).in(Layout::Reversed)});
}

void add_specials(Cases& cases, DType dtype) {
  if (dtype == DBK_BOOL) return;
  if (is_float(dtype)) {
    const std::vector<double> values = special_reals();
    const auto count = static_cast<int64_t>(values.size());
    cases.emplace_back("specials", std::vector{reals(dtype, {count, 1}, values), reals(dtype, {count}, values)});
    return;
  }
  std::vector<int64_t> values = special_integers(dtype);
  if (dtype == DBK_I64) {
    constexpr int64_t kWord = int64_t{1} << 32;
    values.insert(values.end(), {kWord, kWord + 1, 2 * kWord, -kWord, -kWord - 1, -1, 0, kWord - 1, 1 - kWord});
  }
  const auto count = static_cast<int64_t>(values.size());
  cases.emplace_back("specials", std::vector{list(dtype, {count, 1}, values), list(dtype, {count}, values)});
}

}  // namespace

Cases compare_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) stands_for_frame(row, dtype) ? add_shapes(cases, dtype) : add_few_shapes(cases, dtype);
  for (DType dtype : dtypes_of(row, 0)) {
    cases.emplace_back("dtype", std::vector{tensor(dtype, {3, 5}), tensor(dtype, {5})});
    add_specials(cases, dtype);
  }
  if (row.id == "less") {
    cases.emplace_back("grid", std::vector{tensor(DBK_F16, {kOverVectorGrid}), tensor(DBK_F16, {1})});
    cases.emplace_back("grid", std::vector{tensor(DBK_I64, {70001, 61}), tensor(DBK_I64, {61})});
  }
  return cases;
}

}  // namespace ops
