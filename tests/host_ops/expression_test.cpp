// Expressions give exactly what their steps give one after the other on whole tensors: random ones over broadcast operands,
// types that change on the way, results over a product's own memory, and nothing allocated.
#include "host_fallback/expression.h"

#include <unity.h>

#include <cstring>
#include <random>
#include <set>

#include "tests/host_ops/run_case.h"

using namespace dbk;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

HostTensor numbers(DType dtype, const Shape& shape, uint32_t seed) {
  HostTensor tensor{{dtype, shape}, {}};
  tensor.bytes.resize(static_cast<size_t>(tensor.type.bytes()));
  std::mt19937 random(seed);
  Tensor view = tensor.view();
  with_type<F32 | F16 | F64 | I32 | BOOL>(dtype, [&]<class T>() {
    for (int64_t i = 0; i < view.count(); ++i) {
      const double x = static_cast<double>(random() % 2001) / 500.0 - 2.0;
      if constexpr (std::is_same_v<T, Bool>) view.as<T>()[i] = Bool(x > 0);
      else view.as<T>()[i] = static_cast<T>(static_cast<float>(x));
    }
  });
  return tensor;
}

Attributes with_integer(const char* name, int64_t value) {
  Attributes attrs;
  attrs.set(name, value);
  return attrs;
}

// Attributes the way a checked graph has them.
Attributes defaults_of(std::string_view op) {
  Attributes attrs;
  if (op == "Gelu") attrs.set("approximate", std::string("tanh"));
  if (op == "LeakyRelu") attrs.set("alpha", 0.125);
  return attrs;
}

class Chain {
 public:
  explicit Chain(std::vector<HostTensor> operands) : values_(std::move(operands)) {
    expression_.operands = static_cast<uint32_t>(values_.size());
  }
  // Computes the step on whole tensors and adds it to the expression.
  uint32_t add(std::string_view op, std::vector<uint32_t> inputs, Attributes attrs) {
    std::vector<HostTensor> given;
    for (uint32_t i : inputs) given.push_back(values_[i]);
    const OpRow* row = find_op("", op);
    values_.push_back(test::run_row(*row, {&attrs, 13}, given, 1).outputs[0]);
    expression_.steps.push_back({row, std::move(attrs), 13, std::move(inputs), std::string(op)});
    return static_cast<uint32_t>(values_.size() - 1);
  }
  uint32_t add(std::string_view op, std::vector<uint32_t> inputs) { return add(op, std::move(inputs), defaults_of(op)); }

  void check(const char* what) const {
    Attributes attrs;
    attrs.set("expression", std::make_shared<const Expression>(expression_));
    const std::vector<HostTensor> operands(values_.begin(), values_.begin() + expression_.operands);
    const HostTensor got = test::run_row(fused_op("elementwise"), {&attrs, 1}, operands, 1).outputs[0];
    TEST_ASSERT_TRUE_MESSAGE(got.type == values_.back().type, what);
    TEST_ASSERT_TRUE_MESSAGE(got.bytes == values_.back().bytes, what);
  }

  const Expression& expression() const { return expression_; }
  const HostTensor& last() const { return values_.back(); }
  size_t size() const { return values_.size(); }
  const HostTensor& value(uint32_t i) const { return values_[i]; }

 private:
  std::vector<HostTensor> values_;
  Expression expression_;
};

void test_bias_and_gelu() {
  Chain chain({numbers(DBK_F32, {7, 129, 33}, 1), numbers(DBK_F32, {33}, 2), numbers(DBK_F32, {129, 1}, 3), numbers(DBK_F32, {}, 4)});
  chain.add("Gelu", {chain.add("Add", {0, 1})});
  chain.add("Mul", {chain.add("Sub", {5, 2}), 3});
  chain.check("bias, gelu, column and scalar");
}

void test_types_change() {
  Chain chain({numbers(DBK_F16, {50, 70}, 1), numbers(DBK_BOOL, {70}, 2), numbers(DBK_F32, {1}, 3)});
  const uint32_t wide = chain.add("Cast", {0}, with_integer("to", 1));
  chain.add("Cast", {chain.add("Where", {1, wide, 2})}, with_integer("to", 10));
  chain.check("f16 to f32 and back with a condition");
}

void test_diamond() {
  Chain chain({numbers(DBK_F32, {4097}, 1)});
  const uint32_t s = chain.add("Sigmoid", {0});
  chain.add("Mul", {chain.add("Mul", {0, s}), s});
  chain.check("a value read twice");
}

void test_small_and_empty() {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{0, 5}, Shape{1, 1, 1}}) {
    Chain chain({numbers(DBK_F32, shape, 1), numbers(DBK_F32, {1}, 2)});
    chain.add("Neg", {chain.add("Mul", {0, 1})});
    chain.check("few elements");
  }
}

void test_random() {
  constexpr const char* kUnary[] = {"Neg", "Abs", "Relu", "Sigmoid", "Tanh", "Gelu", "LeakyRelu", "Exp"};
  constexpr const char* kBinary[] = {"Add", "Sub", "Mul", "Max", "Min", "Div"};
  const Shape kShapes[] = {{3, 5, 700}, {700}, {5, 1}, {3, 1, 700}, {1}, {}};
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::vector<HostTensor> operands;
    const DType dtype = seed % 3 == 0 ? DBK_F16 : DBK_F32;
    for (uint32_t i = 0, n = 1 + random() % 6; i < n; ++i) operands.push_back(numbers(dtype, kShapes[random() % 6], seed * 10 + i));
    Chain chain(std::move(operands));
    std::set<uint32_t> unread;
    for (uint32_t i = 0; i < chain.size(); ++i) unread.insert(i);
    const auto pick = [&] {
      const auto i = static_cast<uint32_t>(random() % chain.size());
      unread.erase(i);
      return i;
    };
    for (uint32_t i = 0, n = 1 + random() % 15; i < n; ++i)
      unread.insert(random() % 2 ? chain.add(kUnary[random() % 8], {pick()}) : chain.add(kBinary[random() % 6], {pick(), pick()}));
    while (unread.size() > 1) {  // every value reaches the result
      const uint32_t a = *unread.begin(), b = *unread.rbegin();
      unread.erase(a), unread.erase(b);
      unread.insert(chain.add("Max", {a, b}));
    }
    chain.check(std::to_string(seed).c_str());
  }
}

void test_in_place() {
  const HostTensor product = numbers(DBK_F32, {300, 65}, 1), bias = numbers(DBK_F32, {65}, 2);
  Chain chain({product, bias});
  chain.add("Relu", {chain.add("Add", {0, 1})});
  HostTensor memory = product;
  Tensor out = memory.view();
  const Tensor operands[] = {memory.view(), bias.view()};
  evaluate(chain.expression(), operands, out);
  TEST_ASSERT_TRUE(memory.bytes == chain.last().bytes);
}

HostTensor multiply(const char* op, const char* fused, Attributes attrs, const std::vector<HostTensor>& inputs, size_t product_inputs) {
  std::vector<HostTensor> operands{test::run_row(*find_op("", op), {&attrs, 13},
                                                 {inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(product_inputs)}, 1).outputs[0]};
  operands.insert(operands.end(), inputs.begin() + static_cast<std::ptrdiff_t>(product_inputs), inputs.end());
  Chain chain(operands);
  chain.add("Add", {chain.add("Gelu", {chain.add("Add", {0, 1})}), 2});
  attrs.set("product_inputs", static_cast<int64_t>(product_inputs));
  attrs.set("expression", std::make_shared<const Expression>(chain.expression()));
  HostTensor got = test::run_row(fused_op(fused), {&attrs, 13}, inputs, 1).outputs[0];
  TEST_ASSERT_TRUE_MESSAGE(got.type == chain.last().type && got.bytes == chain.last().bytes, fused);
  return got;
}

void test_products() {
  multiply("MatMul", "fused_matmul", {},
           {numbers(DBK_F32, {2, 40, 30}, 1), numbers(DBK_F32, {30, 20}, 2), numbers(DBK_F32, {20}, 3), numbers(DBK_F32, {2, 40, 20}, 4)}, 2);
  Attributes gemm = with_integer("transA", 1);
  gemm.set("transB", int64_t{1}), gemm.set("alpha", 0.5), gemm.set("beta", 2.0);
  multiply("Gemm", "fused_gemm", gemm,
           {numbers(DBK_F16, {30, 40}, 1), numbers(DBK_F16, {20, 30}, 2), numbers(DBK_F16, {20}, 3), numbers(DBK_F16, {}, 4), numbers(DBK_F16, {40, 1}, 5)}, 3);
}

// Products that become the other type at the end, and what is added in that type.
void test_casts_of_products() {
  const auto check = [](const char* op, const char* fused, DType dtype, Attributes attrs, const std::vector<HostTensor>& own, int64_t to) {
    Chain chain({test::run_row(*find_op("", op), {&attrs, 13}, own, 1).outputs[0], numbers(dtype, {20}, 3), numbers(DBK_F32, {40, 20}, 4)});
    const uint32_t sum = chain.add("Add", {0, 1});
    if (dtype == DBK_F32) chain.add("Cast", {chain.add("Mul", {sum, 2})}, with_integer("to", to));
    else chain.add("Mul", {chain.add("Cast", {sum}, with_integer("to", to)), 2});
    std::vector<HostTensor> inputs = own;
    for (const uint32_t i : {1u, 2u}) inputs.push_back(chain.value(i));
    attrs.set("product_inputs", static_cast<int64_t>(own.size()));
    attrs.set("expression", std::make_shared<const Expression>(chain.expression()));
    const HostTensor got = test::run_row(fused_op(fused), {&attrs, 13}, inputs, 1).outputs[0];
    TEST_ASSERT_TRUE_MESSAGE(got.type == chain.last().type && got.bytes == chain.last().bytes, fused);
  };
  for (const auto& [dtype, to] : {std::pair{DBK_F32, 10}, {DBK_F16, 1}}) {
    check("MatMul", "fused_matmul", dtype, {}, {numbers(dtype, {40, 30}, 1), numbers(dtype, {30, 20}, 2)}, to);
    Attributes gemm = with_integer("transA", 0);
    gemm.set("transB", int64_t{1}), gemm.set("alpha", 0.5), gemm.set("beta", 1.0);
    check("Gemm", "fused_gemm", dtype, gemm, {numbers(dtype, {40, 30}, 1), numbers(dtype, {20, 30}, 2)}, to);
  }
}

template <class F>
void expect_error(dbk_status status, F&& f) {
  try {
    f();
    TEST_FAIL_MESSAGE("no error");
  } catch (const Error& e) {
    TEST_ASSERT_EQUAL_INT(status, e.causes().front().code);
  }
}

void test_refusals() {
  Expression e;
  e.operands = 2;
  e.steps.push_back({find_op("", "Add"), {}, 14, {0, 1}, "a"});
  const TensorType wide{DBK_F32, {4, 5}}, row{DBK_F32, {5}}, three{DBK_F32, {3}}, flags{DBK_BOOL, {4, 5}};
  TEST_ASSERT_TRUE(infer_expression(e, std::vector{wide, row}) == wide);
  expect_error(DBK_INVALID_ARGUMENT, [&] { infer_expression(e, std::vector{wide, three}); });
  expect_error(DBK_UNIMPLEMENTED, [&] { infer_expression(e, std::vector{flags, flags}); });
  expect_error(DBK_INTERNAL, [&] { infer_expression(e, std::vector{wide}); });
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_bias_and_gelu);
  RUN_TEST(test_types_change);
  RUN_TEST(test_diamond);
  RUN_TEST(test_small_and_empty);
  RUN_TEST(test_random);
  RUN_TEST(test_in_place);
  RUN_TEST(test_products);
  RUN_TEST(test_casts_of_products);
  RUN_TEST(test_refusals);
  return UNITY_END();
}
