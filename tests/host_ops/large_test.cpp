// Tensors large enough for several threads, tiles and vectors with a rest: f32 against the same op in f64 on the same
// numbers.
#include <unity.h>

#include <cmath>
#include <format>

#include "tests/host_ops/run_case.h"

using namespace dbk;
using namespace dbk::test;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

// Numbers in [low, high) that f32 holds exactly, so that both types start from the same.
HostTensor numbers(DType dtype, const Shape& shape, double low, double high) {
  HostTensor tensor{{dtype, shape}, {}};
  tensor.bytes.resize(static_cast<size_t>(tensor.type.bytes()));
  uint32_t state = 12345;
  for (int64_t i = 0, n = shape.count(); i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    const float value = static_cast<float>(low + (high - low) * (state >> 8) / double(1 << 24));
    if (dtype == DBK_F32)
      tensor.view().as<float>()[i] = value;
    else
      tensor.view().as<double>()[i] = value;
  }
  return tensor;
}

// `terms`: how many numbers of the domain's size each result sums up.
void compare(const std::string& op, uint32_t opset, const Attributes& attrs, const std::vector<Shape>& shapes,
             double terms = 0) {
  const OpRow& row = *find_op("", op);
  std::vector<HostTensor> single, twice;
  for (const Shape& shape : shapes) {
    single.push_back(numbers(DBK_F32, shape, row.low, row.high));
    twice.push_back(numbers(DBK_F64, shape, row.low, row.high));
  }
  const HostTensor got = run_node(op, opset, attrs, single, 1).outputs[0],
                   want = run_node(op, opset, attrs, twice, 1).outputs[0];
  const double size = terms * std::max(std::fabs(row.low), std::fabs(row.high));
  for (int64_t i = 0, n = got.type.count(); i < n; ++i) {
    const double a = element(got.view(), i), b = element(want.view(), i);
    const double allowed = (row.tolerance + 0.5) * epsilon_of(DBK_F32) * std::max(std::fabs(b), size);
    if (!(std::fabs(a - b) <= allowed))
      TEST_FAIL_MESSAGE(std::format("{} {}: [{}] is {}, expected {}, allowed error {}", op, to_string(got.type.shape),
                                    i, a, b, allowed)
                            .c_str());
  }
}

void test_unary() {
  for (const OpRow& row : all_ops())
    if (row.family == "unary") compare(std::string(row.name), 20, {}, {{100003}});
}

void test_binary() {
  for (const OpRow& row : all_ops()) {
    if (row.family != "binary") continue;
    const std::string op(row.name);
    compare(op, 20, {}, {{101, 997}, {101, 997}}, 2);
    compare(op, 20, {}, {{101, 997}, {997}}, 2);
    compare(op, 20, {}, {{101, 1}, {101, 997}}, 2);
    compare(op, 20, {}, {{7, 1, 97, 31}, {13, 1, 31}}, 2);
  }
}

Attributes axes(std::vector<int64_t> list) {
  Attributes attrs;
  attrs.set("axes", std::move(list));
  return attrs;
}

void test_reductions() {
  for (const OpRow& row : all_ops()) {
    if (row.family != "reduce") continue;
    const std::string op(row.name);
    const double mean = op == "ReduceMean" ? 1.0 : 0.0;
    for (const std::vector<int64_t>& list : std::vector<std::vector<int64_t>>{{0}, {1}, {2}, {0, 2}, {0, 1, 2}})
      compare(op, 11, axes(list), {{37, 53, 101}}, mean ? 1.0 : 1000.0);
  }
}

void test_normalizations() {
  for (int64_t axis : {0, 1, 2}) {
    Attributes attrs;
    attrs.set("axis", axis);
    compare("Softmax", 13, attrs, {{37, 53, 101}});
  }
  compare("LayerNormalization", 17, {}, {{331, 513}, {513}, {513}}, 1);
}

void test_products() {
  compare("MatMul", 13, {}, {{131, 517}, {517, 77}}, 517);
  compare("MatMul", 13, {}, {{3, 1, 67, 130}, {5, 130, 33}}, 130);
  compare("MatMul", 13, {}, {{2, 70, 130}, {130, 33}}, 130);
  Attributes transposed;
  transposed.set("transA", int64_t{1});
  transposed.set("transB", int64_t{1});
  compare("Gemm", 13, transposed, {{517, 131}, {77, 517}, {77}}, 517);
}

void test_movement() {
  Attributes perm;
  perm.set("perm", std::vector<int64_t>{2, 0, 1});
  compare("Transpose", 13, perm, {{37, 53, 101}});
  compare("Transpose", 13, {}, {{301, 203}});
  Attributes axis;
  axis.set("axis", int64_t{1});
  compare("Concat", 13, axis, {{71, 301}, {71, 403}, {71, 1}});
  compare("Identity", 13, {}, {{300007}});
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_unary);
  RUN_TEST(test_binary);
  RUN_TEST(test_reductions);
  RUN_TEST(test_normalizations);
  RUN_TEST(test_products);
  RUN_TEST(test_movement);
  return UNITY_END();
}
