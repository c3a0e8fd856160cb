// Tensors large enough for several threads, tiles and vectors with a rest: f32 against the same op in f64 on the same
// numbers, within the op suite's tolerances.
#include <unity.h>

#include <format>

#include "tests/host_ops/run_case.h"
#include "tests/ops/awkward.h"
#include "tests/ops/tolerance.h"
#include "tests/ops/value_maker.h"

using namespace dbk;
using ops::Kind;
using ops::OpCase;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

void compare(std::string_view op, uint32_t opset, const std::vector<Shape>& shapes,
             std::vector<Attribute> attributes = {}) {
  const OpRow& row = *find_op("", op);
  std::vector<ops::Operand> operands;
  for (const Shape& shape : shapes) operands.push_back(ops::tensor(DBK_F32, shape));
  const OpCase test = OpCase("", operands, std::move(attributes)).with_opset(opset);
  const std::vector<HostTensor> inputs = ops::make_inputs(row, test);
  const HostTensor got = test::run_node(std::string(op), opset, test.attrs, inputs, 1).outputs[0];
  const ops::Worst worst =
      ops::compare(ops::expect(row, test, inputs, Kind::Cpu)[0], got, ops::tolerance_of(row, Kind::Cpu));
  if (worst.share > 1)
    TEST_FAIL_MESSAGE(std::format("{} {}: [{}] is {}, expected {}, allowed error {}", op, to_string(got.type.shape),
                                  worst.index, worst.actual, worst.expected, worst.allowed)
                          .c_str());
}

void test_unary() {
  for (const OpRow& row : all_ops())
    if (row.family == "unary" && contains(row.host->dtypes, DBK_F32)) compare(row.name, ops::opset_of(row), {{100003}});
}

void test_binary() {
  for (const OpRow& row : all_ops()) {
    if (row.family != "binary" || !contains(row.host->dtypes, DBK_F32)) continue;
    std::vector<Attribute> attrs;
    if (row.id == "mod") attrs = {{"fmod", int64_t{1}}};
    compare(row.name, 20, {{101, 997}, {101, 997}}, attrs);
    compare(row.name, 20, {{101, 997}, {997}}, attrs);
    if (row.id == "prelu") continue;  // its second operand must not be larger
    compare(row.name, 20, {{101, 1}, {101, 997}}, attrs);
    compare(row.name, 20, {{7, 1, 97, 31}, {13, 1, 31}}, attrs);
  }
}

void test_reductions() {
  for (const OpRow& row : all_ops()) {
    if (row.family != "reduce") continue;
    for (const std::vector<int64_t>& axes : std::vector<std::vector<int64_t>>{{0}, {1}, {2}, {0, 2}, {0, 1, 2}})
      compare(row.name, 11, {{37, 53, 101}}, {{"axes", axes}});
  }
}

void test_normalizations() {
  for (int64_t axis : {0, 1, 2}) compare("Softmax", 13, {{37, 53, 101}}, {{"axis", axis}});
  compare("LayerNormalization", 17, {{331, 513}, {513}, {513}});
}

void test_products() {
  compare("MatMul", 13, {{131, 517}, {517, 77}});
  compare("MatMul", 13, {{3, 1, 67, 130}, {5, 130, 33}});
  compare("MatMul", 13, {{2, 70, 130}, {130, 33}});
  compare("Gemm", 13, {{517, 131}, {77, 517}, {77}}, {{"transA", 1}, {"transB", 1}});
}

void test_movement() {
  compare("Transpose", 13, {{37, 53, 101}}, {{"perm", std::vector<int64_t>{2, 0, 1}}});
  compare("Transpose", 13, {{301, 203}});
  compare("Concat", 13, {{71, 301}, {71, 403}, {71, 1}}, {{"axis", 1}});
  compare("Identity", 13, {{300007}});
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
