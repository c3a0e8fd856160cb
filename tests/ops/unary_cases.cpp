// Element-wise ops of one operand: sizes around vectors and workgroups, special numbers and attributes; of the op that stands for its
// frame all ranks and layouts in host memory, and grids that spill over one dimension.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

constexpr int64_t kSwept = 1 << 18;  // a multiple of all numbers of 16 bits

void add_specials(Cases& cases, DType dtype, std::vector<dbk::Attribute> attrs = {}) {
  if (is_float(dtype)) {
    const std::vector<double> values = special_reals();
    cases.emplace_back("specials", std::vector{reals(dtype, {static_cast<int64_t>(values.size())}, values)}, attrs);
  } else if (dtype != DBK_BOOL) {
    cases.emplace_back("specials", std::vector{list(dtype, {8}, special_integers(dtype))}, attrs);
  }
}

void add_few_shapes(Cases& cases, DType dtype) {
  for (int64_t size : {0, 1, 5, 257}) cases.emplace_back("size", std::vector{tensor(dtype, {size})});
  cases.emplace_back("rank", std::vector{tensor(dtype, {2, 1, 3, 2, 5})});
  cases.emplace_back("layout", std::vector{tensor(dtype, {3, 5, 7}).in(Layout::Transposed)});
}

void add_shapes(Cases& cases, DType dtype) {
  for (int64_t size : kSizes) cases.emplace_back("size", std::vector{tensor(dtype, {size})});
  for (const Shape& shape : ranked_shapes()) cases.emplace_back("rank", std::vector{tensor(dtype, shape)});
  cases.emplace_back("weight", std::vector{tensor(dtype, {3, 5}).as(Origin::Param)});
}

void add_layouts(Cases& cases, DType dtype) {
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Repeated}) {
    cases.emplace_back("layout", std::vector{tensor(dtype, {3, 5, 7}).in(layout)});
    cases.emplace_back("layout", std::vector{tensor(dtype, {2, 1, 3, 2, 5}).in(layout)});
  }
}

void add_attributes(Cases& cases, const dbk::OpRow& row, DType dtype) {
  if (row.id == "leaky_relu") {
    for (double alpha : {0.3, 0.0, -2.0, 1.5})
      cases.emplace_back("alpha", std::vector{tensor(dtype, {129})}, std::vector<dbk::Attribute>{{"alpha", alpha}});
  }
  const auto one = [&](const char* name, std::initializer_list<double> values, std::vector<dbk::Attribute> more = {}) {
    for (double value : values) {
      std::vector<dbk::Attribute> attrs = more;
      attrs.push_back({name, value});
      cases.emplace_back(std::string(name) + " " + std::to_string(value), std::vector{tensor(dtype, {1021})}, attrs);
    }
  };
  if (row.id == "elu" || row.id == "celu") one("alpha", {0.25, 3.5});
  if (row.id == "selu") one("alpha", {0.25, 3.5}, {{"gamma", 0.75}});
  if (row.id == "thresholded_relu") one("alpha", {-2.5, 0.0, 3.0});
  if (row.id == "shrink") one("bias", {0.25, -1.5, 3.0}, {{"lambd", 1.25}});
  if (row.id == "swish") one("alpha", {0.5, 1.702, -1.0});
  if (row.id == "hard_sigmoid") {
    for (const auto& [alpha, beta] : {std::pair{0.25, 0.5}, {-1.5, 0.75}, {1.0 / 6, 0.5}, {0.0, 0.3}})
      cases.emplace_back("alpha and beta", std::vector{tensor(dtype, {1021})},
                         std::vector<dbk::Attribute>{{"alpha", alpha}, {"beta", beta}});
  }
  if (row.id == "gelu") {
    const std::vector<dbk::Attribute> tanh{{"approximate", "tanh"}};
    cases.emplace_back("tanh", std::vector{tensor(dtype, {1021})}, tanh);
    cases.emplace_back("none", std::vector{tensor(dtype, {257})}, std::vector<dbk::Attribute>{{"approximate", "none"}});
    cases.emplace_back("all tanh", std::vector{sweep(dtype, kSwept)}, tanh);
    add_specials(cases, dtype, tanh);
  }
}

// Close to 0 and far outside, where a formula that is right in between cancels or overflows.
void add_ranges(Cases& cases, const dbk::OpRow& row, DType dtype) {
  const bool positive = row.low >= 0;
  cases.emplace_back("many", std::vector{tensor(dtype, {20011})});
  cases.emplace_back("near 0",
                     std::vector{tensor(dtype, {4099}).within(positive ? 1e-3 : -1e-3, positive ? 2e-3 : 1.5e-3)});
  cases.emplace_back("near 1", std::vector{tensor(dtype, {4099}).within(0.99, 1.01)});
  cases.emplace_back("all", std::vector{sweep(dtype, kSwept)});
  cases.emplace_back("far", std::vector{tensor(dtype, {4099}).within(positive ? 50.0 : -95.0, 95.0)});
}

}  // namespace

Cases unary_cases(const dbk::OpRow& row) {
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
    cases.emplace_back("dtype", std::vector{tensor(dtype, {3, 5})});
    add_specials(cases, dtype);
    if (row.id == "shrink" && !is_float(dtype)) cases.emplace_back("bias", std::vector{tensor(dtype, {65})}, std::vector<dbk::Attribute>{{"bias", 1.75}, {"lambd", 2.5}});
    if (!is_float(dtype)) continue;
    add_ranges(cases, row, dtype);
    add_attributes(cases, row, dtype);
  }
  for (OpCase& test : cases) test.opset = opset_of(row);
  if (row.id == "relu") {
    cases.emplace_back("grid", std::vector{tensor(DBK_F16, {kOverVectorGrid})});
    cases.emplace_back("grid", std::vector{tensor(DBK_F32, {kOverVectorGrid})});
  }
  return cases;
}

}  // namespace ops
