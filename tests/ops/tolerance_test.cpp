// The suite can fail: results that are wrong in the ways kernels go wrong are refused, for every row, and what the
// error model allows is accepted. No plugin and no device.
#include "plugin/graph/schema.h"
#include "tests/ops/tolerance.h"

#include <unity.h>

#include <cmath>
#include <format>
#include <functional>
#include <limits>

#include "host_fallback/number_cast.h"
#include "tests/ops/awkward.h"
#include "tests/ops/value_maker.h"

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

using dbk::HostTensor;
using ops::Kind;
using ops::OpCase;
using ops::tensor;

constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

struct Result {
  std::vector<std::vector<double>> inputs;
  std::vector<double> y;        // exact; to be damaged
  std::vector<double> allowed;  // errors
};
using Damage = std::function<void(Result&)>;

HostTensor stored(const std::vector<double>& values, const dbk::TensorType& type) {
  HostTensor made{type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))};
  dbk::with_type<dbk::FLOATS>(type.dtype, [&]<class T>() {
    for (size_t i = 0; i < values.size(); ++i) reinterpret_cast<T*>(made.bytes.data())[i] = dbk::number_cast<T>(values[i]);
  });
  return made;
}

// Whether the first output, exact but for the damage and rounded to its type, is accepted.
bool accepts(const dbk::OpRow& row, const OpCase& test, Kind kind, const Damage& damage) {
  const ops::Tolerance tolerance = ops::tolerance_of(row, kind);
  const std::vector<HostTensor> inputs = ops::make_inputs(row, test);
  const ops::Expected expected = ops::expect(row, test, inputs, kind)[0];
  const dbk::DType dtype = inputs[0].type.dtype;
  Result result;
  for (const HostTensor& input : inputs) result.inputs.push_back(ops::numbers(input));
  result.y = ops::numbers(expected.exact);
  for (size_t i = 0; i < result.y.size(); ++i)
    result.allowed.push_back(ops::allowed_error(expected, i, dtype, tolerance));
  damage(result);
  return ops::compare(expected, stored(result.y, {dtype, expected.exact.type.shape}), tolerance).share <= 1;
}

bool accepts(std::string_view op, const OpCase& test, Kind kind, const Damage& damage) {
  return accepts(*dbk::find_op("", op), test, kind, damage);
}

void expect(bool holds, std::string_view what, const dbk::OpRow& row, dbk::DType dtype, Kind kind) {
  if (holds) return;
  static std::string text;
  text = std::format("{} in {} on a {}: {}", row.name, dbk::to_string(dtype), kind == Kind::Cpu ? "CPU" : "GPU", what);
  TEST_FAIL_MESSAGE(text.c_str());
}

OpCase simple_case(const dbk::OpRow& row, dbk::DType dtype) {
  if (row.family == "unary" || row.family == "clip") return {"", {tensor(dtype, {257})}};
  if (row.family == "range")
    return {"", {ops::reals(dtype, {}, {0.5}), ops::reals(dtype, {}, {100.25}), ops::reals(dtype, {}, {0.375})}};
  if (row.id == "reduce_prod") return {"", {tensor(dtype, {7, 30}), ops::integers({1})}};  // 300 factors leave f16's range
  if (row.family == "reduce") return {"", {tensor(dtype, {7, 300}), ops::integers({1})}};
  if (row.id == "mod") return {"", {tensor(dtype, {257}), tensor(dtype, {257})}, {{"fmod", int64_t{1}}}};
  if (row.family == "cum_sum") return {"", {tensor(dtype, {7, 30}), ops::integers({1})}};
  if (row.family == "softmax") return {"", {tensor(dtype, {7, 300})}};
  if (row.family == "inverse") return {"", {tensor(dtype, {2, 3, 3})}};
  if (row.id == "split_matmul")
    return OpCase("", {tensor(dtype, {7, 300}), tensor(dtype, {300, 9})}, {{"widths", std::vector<int64_t>{4, 5}}}).wanting({true, true});
  if (row.family == "matmul" || row.family == "transposed_matmul" || row.family == "gemm") return {"", {tensor(dtype, {7, 300}), tensor(dtype, {300, 9})}};
  if (row.id == "attention") return {"", {tensor(dtype, {2, 2, 7, 4}), tensor(dtype, {2, 2, 90, 4}), tensor(dtype, {2, 2, 90, 4})}};
  if (row.id == "multi_head_attention")
    return {"", {tensor(dtype, {2, 7, 8}), tensor(dtype, {2, 90, 8}), tensor(dtype, {2, 90, 8})}, {{"num_heads", int64_t{2}}}};
  if (row.id == "group_query_attention")
    return {"",
            {tensor(dtype, {2, 7, 8}), tensor(dtype, {2, 7, 4}), tensor(dtype, {2, 7, 4}), tensor(dtype, {2, 1, 5, 4}), tensor(dtype, {2, 1, 5, 4}),
             ops::list(DBK_I32, {2}, {6, 4}), ops::integers({7}, DBK_I32)},
            {{"num_heads", int64_t{2}}, {"kv_num_heads", int64_t{1}}}};
  if (row.id == "packed_attention") return {"", {tensor(dtype, {2, 90, 24})}, {{"num_heads", int64_t{2}}}};
  if (row.family == "block_matmul")
    return {"", {tensor(dtype, {7, 320}), ops::bits(DBK_U8, {9, 10, 16}), tensor(dtype, {90}).within(0.01, 0.1)},
            {{"N", int64_t{9}}, {"K", int64_t{320}}, {"block_size", int64_t{32}}}};
  if (row.family == "attention")
    return {"", {tensor(dtype, {2, 7, 8}), tensor(dtype, {2, 90, 8}), tensor(dtype, {2, 90, 8})},
            {{"heads", int64_t{2}}, {"kv_heads", int64_t{2}}, {"head_size", int64_t{4}}, {"v_head_size", int64_t{4}}}};
  if (row.family == "rotary")
    return {"", {tensor(dtype, {7, 300}), tensor(dtype, {7, 300}), tensor(dtype, {7, 300})}, {{"interleaved", int64_t{0}}}};
  if (row.family == "rotary_embedding") {
    const ops::Operand x = tensor(dtype, {2, 3, 4, 6}), cache = tensor(dtype, {9, 3}), at = ops::list(DBK_I64, {2, 4}, {1, 5, 8, 0});
    if (row.id == "rotary_heads") return {"", {x, x, cache, cache, at}};
    return row.domain.empty() ? OpCase("", {x, cache, cache, at}) : OpCase("", {x, at, cache, cache});
  }
  if (row.id.starts_with("skip_")) return {"", {tensor(dtype, {7, 300}), tensor(dtype, {7, 300}), tensor(dtype, {300})}};
  if (row.family == "layer_normalization") return {"", {tensor(dtype, {7, 300}), tensor(dtype, {300})}};
  if (row.family == "conv") return {"", {tensor(dtype, {2, 3, 30}), tensor(dtype, {4, 3, 3})}};
  if (row.family == "pool" && row.id != "global_lp_pool")
    return {"", {tensor(dtype, {2, 3, 30})}, {{"kernel_shape", std::vector<int64_t>{3}}}};
  if (row.family == "pool" || row.family == "global_pool") return {"", {tensor(dtype, {2, 5, 30})}};
  if (row.family == "batch_normalization") {
    const ops::Operand channels = tensor(dtype, {3}).within(1, 2);
    return {"", {tensor(dtype, {2, 3, 30}), channels, channels, channels, channels}};
  }
  if (row.family == "conv_transpose") return {"", {tensor(dtype, {2, 3, 30}), tensor(dtype, {3, 4, 3})}};
  if (row.family == "group_normalization") {
    OpCase test("", {tensor(dtype, {2, 3, 30}), tensor(dtype, {3}), tensor(dtype, {3})});
    if (row.id == "group_normalization") test.attrs.set("num_groups", int64_t{3});
    return test;
  }
  if (row.family == "lp_normalization") return {"", {tensor(dtype, {7, 30})}, {{"axis", int64_t{-1}}, {"p", int64_t{2}}}};
  if (row.family == "lrn") return {"", {tensor(dtype, {2, 7, 30})}, {{"size", int64_t{3}}, {"beta", 0.75}}};
  if (row.id == "upsample")
    return {"", {tensor(dtype, {2, 3, 30}), ops::reals(DBK_F32, {3}, {1, 1, 2})}, {{"mode", std::string("linear")}}};
  if (row.family == "resize")
    return {"", {tensor(dtype, {2, 3, 30}), ops::reals(DBK_F32, {0}, {}), ops::reals(DBK_F32, {3}, {1, 1, 1.75})}, {{"mode", std::string("linear")}}};
  if (row.family == "grid_sample") return {"", {tensor(dtype, {1, 3, 5, 6}), tensor(DBK_F32, {1, 3, 4, 2}).within(-1, 1)}};
  if (row.family == "roi_align")
    return {"", {tensor(dtype, {1, 7, 5, 6}), ops::reals(dtype, {1, 4}, {0.25, 0.5, 4.25, 3.5}), ops::list(DBK_I64, {1}, {0})}};
  if (row.id == "max_roi_pool")
    return {"", {tensor(dtype, {1, 7, 5, 6}), ops::reals(dtype, {1, 5}, {0, 0, 0, 4, 4})}, {{"pooled_shape", std::vector<int64_t>{2, 2}}}};
  if (row.id == "max_unpool")
    return {"", {tensor(dtype, {1, 1, 4}), ops::list(DBK_I64, {1, 1, 4}, {0, 2, 3, 6})}, {{"kernel_shape", std::vector<int64_t>{2}}, {"strides", std::vector<int64_t>{2}}}};
  if (row.id == "col2im") return {"", {tensor(dtype, {1, 9, 9}), ops::integers({5, 5}), ops::integers({3, 3})}};
  if (row.id == "deform_conv")
    return {"", {tensor(dtype, {1, 2, 5, 6}), tensor(dtype, {3, 2, 3, 3}), tensor(dtype, {1, 18, 3, 4})}};
  if (row.id == "affine_grid") return {"", {tensor(dtype, {2, 2, 3}), ops::integers({2, 1, 3, 4})}};
  if (row.id == "dft") return {"", {tensor(dtype, {3, 16, 1})}};
  if (row.id == "stft") return {"", {tensor(dtype, {1, 40, 1}), ops::integers({4}), tensor(dtype, {16})}};
  if (row.id == "det") return {"", {tensor(dtype, {5, 3, 3})}};
  if (row.family == "mean_variance_normalization") return {"", {tensor(dtype, {2, 7, 3, 5})}};
  if (row.family == "recurrent") {
    const int64_t width = 5 * (row.id == "lstm" ? 4 : row.id == "gru" ? 3 : 1);
    return {"",
            {tensor(dtype, {4, 2, 3}), tensor(dtype, {1, width, 3}), tensor(dtype, {1, width, 5}).within(-0.1, 0.1)},
            {{"hidden_size", int64_t{5}}}};
  }
  return {"", {tensor(dtype, {257}), tensor(dtype, {257})}};
}

// The number of the type beyond y + error.
double beyond(double y, double error, dbk::DType dtype) {
  double next = 0;
  dbk::with_type<dbk::F32 | dbk::F16>(dtype, [&]<class T>() {
    T stored = dbk::number_cast<T>(y + error);
    while (static_cast<double>(stored) <= y + error) {
      auto bits = std::bit_cast<std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>(stored);
      stored = std::bit_cast<T>(static_cast<decltype(bits)>(static_cast<double>(stored) < 0 ? bits - 1 : bits + 1));
    }
    next = static_cast<double>(stored);
  });
  return next;
}

void damage_one(Result& r, dbk::DType dtype) {
  size_t at = 0;
  while (r.y[at] == 0) ++at;
  r.y[at] = beyond(r.y[at], 2 * r.allowed[at], dtype);
}

void test_every_row_accepts_rounding_and_refuses_twice_the_allowed_error() {
  for (const dbk::OpRow& row : dbk::all_ops()) {
    if (ops::discrete(row) || ops::computes_with_codes(row)) continue;
    if (ops::moves(row) || row.family == "cast" || row.family == "compare" || row.family == "predicate") continue;
    if (!dbk::contains(row.host->dtypes, DBK_F32) || row.family == "arg" || row.family == "one_hot" || row.family == "scatter" ||
        row.family == "einsum" || row.family == "top_k")
      continue;  // no floats, or more than a plain operand
    // A result of another type than the operands, or of none.
    if (row.id.ends_with("_window") || row.id == "mel_weight_matrix" || row.family == "random" || row.family == "features" || row.family == "training") continue;
    for (const Kind kind : {Kind::Cpu, Kind::Gpu})
      for (const dbk::DType dtype : {DBK_F32, DBK_F16}) {
        const OpCase test = simple_case(row, dtype).with_opset(ops::opset_of(row));
        expect(accepts(row, test, kind, [](Result&) {}), "the exact result is refused", row, dtype, kind);
        expect(!accepts(row, test, kind, [=](Result& r) { damage_one(r, dtype); }),
               "twice the allowed error is accepted", row, dtype, kind);
        for (double wrong : {kNan, kInf, -kInf})
          expect(!accepts(row, test, kind, [=](Result& r) { r.y[3] = wrong; }), "no number is accepted", row, dtype,
                 kind);
      }
  }
}

OpCase product(dbk::DType dtype, int64_t k) { return {"", {tensor(dtype, {3, k}), tensor(dtype, {k, 5})}}; }

// y[0] again from its terms: step(sum, a, b) for each.
Damage first_sum(int64_t k, const std::function<double(int64_t, double, double, double)>& step) {
  return [=](Result& r) {
    r.y[0] = 0;
    for (int64_t i = 0; i < k; ++i)
      r.y[0] = step(i, r.y[0], r.inputs[0][static_cast<size_t>(i)], r.inputs[1][static_cast<size_t>(i) * 5]);
  };
}

void test_sums() {
  for (const Kind kind : {Kind::Cpu, Kind::Gpu})
    for (const int64_t k : {2, 8, 64, 512, 4096}) {
      const Damage in_float = first_sum(k, [](int64_t, double sum, double a, double b) {
        return static_cast<double>(static_cast<float>(sum) + static_cast<float>(a * b));
      });
      const Damage in_half = first_sum(k, [](int64_t, double sum, double a, double b) {
        return static_cast<double>(dbk::Half::from_double(sum + a * b));
      });
      const Damage without_last = first_sum(
          k, [k](int64_t i, double sum, double a, double b) { return i == k - 1 ? sum : sum + a * b; });
      TEST_ASSERT_TRUE_MESSAGE(accepts("MatMul", product(DBK_F32, k), kind, in_float), "a sum in f32 is refused");
      TEST_ASSERT_FALSE_MESSAGE(accepts("MatMul", product(DBK_F32, k), kind, in_half), "a sum in f16 is accepted");
      TEST_ASSERT_FALSE_MESSAGE(accepts("MatMul", product(DBK_F32, k), kind, without_last), "a lost term is accepted");
      TEST_ASSERT_FALSE_MESSAGE(accepts("MatMul", product(DBK_F16, k), kind, without_last), "a lost term is accepted");
      if (k >= 64)
        TEST_ASSERT_FALSE_MESSAGE(accepts("MatMul", product(DBK_F16, k), kind, in_half), "a sum in f16 is accepted");
    }
}

// Statistics that lose what LayerNormalization keeps: the mean of large numbers rounded to f32.
void test_normalisation_far_from_zero() {
  const OpCase far("", {tensor(DBK_F32, {1, 300}).within(1000, 1003), ops::reals(DBK_F32, {300}, {1.0})});
  const Damage rounded_mean = [](Result& r) {
    double mean = 0, square = 0;
    for (double x : r.inputs[0]) mean += x / 300;
    for (double x : r.inputs[0]) square += (x - mean) * (x - mean) / 300;
    for (size_t i = 0; i < 300; ++i)
      r.y[i] = (r.inputs[0][i] - static_cast<double>(static_cast<float>(mean))) / std::sqrt(square + 1e-5);
  };
  for (const Kind kind : {Kind::Cpu, Kind::Gpu})
    TEST_ASSERT_FALSE_MESSAGE(accepts("LayerNormalization", far, kind, rounded_mean), "a rounded mean is accepted");
}

void test_sixteen_bits_round_once() {
  const OpCase half("", {tensor(DBK_F16, {257})});
  for (const Kind kind : {Kind::Cpu, Kind::Gpu})  // the neighbour on the other side
    TEST_ASSERT_FALSE_MESSAGE(accepts("Exp", half, kind,
                                      [](Result& r) {
                                        const double near = dbk::Half::from_double(r.y[1]);
                                        const double ulp = std::ldexp(1.0, std::ilogb(near) - 10);
                                        r.y[1] = near > r.y[1] ? near - ulp : near + ulp;
                                      }),
                              "the second nearest number of f16 is accepted");
}

Damage becomes(double value) {
  return [value](Result& r) { r.y[0] = value; };
}

void test_denormals() {
  const OpCase tiny("", {ops::reals(DBK_F32, {1}, {1e-40})}), normal("", {ops::reals(DBK_F32, {1}, {1.2e-38})});
  TEST_ASSERT_FALSE(accepts("Neg", tiny, Kind::Cpu, becomes(0)));
  TEST_ASSERT_TRUE(accepts("Relu", tiny, Kind::Gpu, becomes(0)));
  TEST_ASSERT_FALSE(accepts("Relu", normal, Kind::Gpu, becomes(0)));
  TEST_ASSERT_FALSE(accepts("Sigmoid", tiny, Kind::Gpu, becomes(0)));
  TEST_ASSERT_FALSE(accepts("Log", tiny, Kind::Cpu, becomes(-kInf)));
  TEST_ASSERT_TRUE(accepts("Log", tiny, Kind::Gpu, becomes(-kInf)));
  TEST_ASSERT_FALSE(accepts("Log", tiny, Kind::Gpu, becomes(-80)));
  TEST_ASSERT_FALSE(accepts("Log", normal, Kind::Gpu, becomes(-kInf)));
  const OpCase half("", {ops::reals(DBK_F16, {1}, {3e-6})});  // a denormal of f16 is no excuse
  TEST_ASSERT_FALSE(accepts("Relu", half, Kind::Gpu, becomes(0)));
}

void test_overflow_and_signs() {
  const OpCase large("", {ops::reals(DBK_F32, {1}, {89.0})}), fits("", {ops::reals(DBK_F32, {1}, {88.0})});
  TEST_ASSERT_TRUE(accepts("Exp", large, Kind::Gpu, becomes(kInf)));
  TEST_ASSERT_FALSE(accepts("Exp", large, Kind::Gpu, becomes(3.4e38)));
  TEST_ASSERT_FALSE(accepts("Exp", fits, Kind::Gpu, becomes(kInf)));
  const OpCase zero("", {ops::reals(DBK_F32, {1}, {0.0})});
  TEST_ASSERT_FALSE(accepts("Neg", zero, Kind::Gpu, becomes(0.0)));
  TEST_ASSERT_TRUE(accepts("Neg", zero, Kind::Gpu, becomes(-0.0)));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_every_row_accepts_rounding_and_refuses_twice_the_allowed_error);
  RUN_TEST(test_sums);
  RUN_TEST(test_normalisation_far_from_zero);
  RUN_TEST(test_sixteen_bits_round_once);
  RUN_TEST(test_denormals);
  RUN_TEST(test_overflow_and_signs);
  return UNITY_END();
}
