// Formulas that exporters write out become one op: in the forms they emit, not where anything else reads an inner value
// or a constant or axis is another one; and the results stay the same.
#include <cmath>
#include <numbers>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

Value number(GraphBuilder& g, float value) { return g.scalar(value); }

// ---- Gelu ----

// As PyTorch's exporter writes it; `half` 0.5, `root` sqrt(2).
Value gelu_by_erf(GraphBuilder& g, Value x, float half = 0.5f, float root = std::numbers::sqrt2_v<float>) {
  const Value erf = g.node("Erf", {g.node("Div", {x, number(g, root)})});
  return g.node("Mul", {g.node("Mul", {x, g.node("Add", {erf, number(g, 1)})}), number(g, half)});
}

// As TensorFlow's exporter orders the same.
Value gelu_by_scaled_erf(GraphBuilder& g, Value x) {
  const Value erf = g.node("Erf", {g.node("Mul", {x, number(g, std::numbers::sqrt2_v<float> / 2)})});
  return g.node("Mul", {g.node("Mul", {number(g, 0.5f), x}), g.node("Add", {number(g, 1), erf})});
}

// With x^3 by Pow, and by products as "gelu_fast" has it.
Value gelu_by_tanh(GraphBuilder& g, Value x, float cubic = 0.044715f) {
  const Value bent = g.node("Add", {x, g.node("Mul", {g.node("Pow", {x, number(g, 3)}), number(g, cubic)})});
  const Value tanh = g.node("Tanh", {g.node("Mul", {bent, number(g, 0.7978845608f)})});
  return g.node("Mul", {g.node("Mul", {number(g, 0.5f), x}), g.node("Add", {tanh, number(g, 1)})});
}

Value gelu_by_products(GraphBuilder& g, Value x) {
  const Value square = g.node("Mul", {g.node("Mul", {number(g, 0.044715f), x}), x});
  const Value inner =
      g.node("Mul", {g.node("Mul", {x, number(g, 0.7978845608f)}), g.node("Add", {number(g, 1), square})});
  return g.node("Mul", {g.node("Mul", {x, number(g, 0.5f)}), g.node("Add", {g.node("Tanh", {inner}), number(g, 1)})});
}

void test_gelu() {
  using Formula = std::function<Value(GraphBuilder&, Value)>;
  const std::pair<const char*, Formula> formulas[] = {
      {"erf of a quotient", [](GraphBuilder& g, Value x) { return gelu_by_erf(g, x); }},
      {"erf of a product", gelu_by_scaled_erf},
      {"tanh with Pow", [](GraphBuilder& g, Value x) { return gelu_by_tanh(g, x); }},
      {"tanh by products", gelu_by_products}};
  for (const auto& [name, formula] : formulas) {
    const auto result =
        compare([&](GraphBuilder& g) { g.output(formula(g, g.input<float>("x", {3, 70})), "y"); }, {{3, 70}});
    require_fused(result, "Gelu", 1, name);
    require_equal(result.count("Mul") + result.count("Add"), size_t{0}, "nodes that are left");
  }
}

void test_not_gelu() {
  const auto wrong = [](const char* what, const Build& build) {
    require_fused(compare(build, {{3, 7}}), "Gelu", 0, what);
  };
  wrong("another factor", [](GraphBuilder& g) { g.output(gelu_by_erf(g, g.input<float>("x", {3, 7}), 0.51f), "y"); });
  wrong("another root",
        [](GraphBuilder& g) { g.output(gelu_by_erf(g, g.input<float>("x", {3, 7}), 0.5f, 1.5f), "y"); });
  wrong("another cubic term",
        [](GraphBuilder& g) { g.output(gelu_by_tanh(g, g.input<float>("x", {3, 7}), 0.05f), "y"); });
  wrong("erf is an output", [](GraphBuilder& g) {
    const Value x = g.input<float>("x", {3, 7});
    const Value erf = g.node("Erf", {g.node("Div", {x, number(g, std::numbers::sqrt2_v<float>)})});
    g.output(erf, "erf");
    g.output(g.node("Mul", {g.node("Mul", {x, g.node("Add", {erf, number(g, 1)})}), number(g, 0.5f)}), "y");
  });
  wrong("an inner value is read elsewhere", [](GraphBuilder& g) {
    const Value x = g.input<float>("x", {3, 7});
    const Value quotient = g.node("Div", {x, number(g, std::numbers::sqrt2_v<float>)});
    const Value sum = g.node("Add", {g.node("Erf", {quotient}), number(g, 1)});
    g.output(g.node("Mul", {g.node("Mul", {x, sum}), number(g, 0.5f)}), "y");
    g.output(g.node("Neg", {quotient}), "z");
  });
  wrong("another factor than the argument", [](GraphBuilder& g) {
    const Value x = g.input<float>("x", {3, 7}),
                erf = g.node("Erf", {g.node("Div", {x, number(g, std::numbers::sqrt2_v<float>)})});
    g.output(g.node("Mul", {g.node("Mul", {g.node("Neg", {x}), g.node("Add", {erf, number(g, 1)})}), number(g, 0.5f)}),
             "y");
  });
}

void test_near_misses_are_told() {
  const auto result = compare(
      [](GraphBuilder& g) {
        const Value x = g.input<float>("x", {3, 7});
        const Value quotient = g.node("Div", {x, number(g, std::numbers::sqrt2_v<float>)});
        const Value sum = g.node("Add", {g.node("Erf", {quotient}), number(g, 1)});
        g.output(g.node("Mul", {g.node("Mul", {x, sum}), number(g, 0.5f)}), "y");
        g.output(g.node(Op("Neg").named("thief"), {quotient}), "z");
      },
      {{3, 7}});
  require(result.missed().find("thief") != std::string::npos, "near misses do not name the reader: {}",
          result.missed());
}

// ---- normalisations ----

struct NormForm {
  std::vector<int64_t> axes{-1};
  bool power = true, reciprocal = false, centred = true, affine = true;
  bool keep = true;  // keepdims
  bool mean_is_output = false, square_is_output = false;
  bool mean_is_read = false, square_is_read = false;  // by another node
  Dims weight{24};
};

void write_norm(GraphBuilder& g, const NormForm& form, const daybreak::Shape& shape, const Floats& scale,
                const Floats& bias) {
  const Value x = g.input("x", DBK_F32, shape);
  const auto mean_of = [&](Value v) {
    return g.node("ReduceMean", {v, g.constant(std::span(form.axes), Dims{static_cast<int64_t>(form.axes.size())})},
                  {{"keepdims", form.keep ? 1 : 0}});
  };
  const Value mean = form.centred ? mean_of(x) : x;
  if (form.mean_is_output) g.output(mean, "mean");
  if (form.mean_is_read) g.output(g.node("Abs", {mean}), "read");
  const Value c = form.centred ? g.node("Sub", {x, mean}) : x;
  const Value square = form.power ? g.node("Pow", {c, number(g, 2)}) : g.node("Mul", {c, c});
  if (form.square_is_output) g.output(square, "square");
  if (form.square_is_read) g.output(g.node("Neg", {square}), "read");
  const Value deviation = g.node("Sqrt", {g.node("Add", {mean_of(square), number(g, 1e-5f)})});
  Value y =
      form.reciprocal ? g.node("Mul", {c, g.node("Div", {number(g, 1), deviation})}) : g.node("Div", {c, deviation});
  if (form.affine) {
    y = g.node("Mul", {y, g.param("scale", std::span(scale), form.weight)});
    if (form.centred) y = g.node("Add", {y, g.param("bias", std::span(bias), form.weight)});
  }
  g.output(y, "y");
}

Comparison compare_norm(const NormForm& form, const Dims& dims = {2, 5, 24}) {
  const auto count = static_cast<size_t>(form.weight.product());
  const Floats scale = fractions(count, 1), bias = fractions(count, 2);
  return compare([&](GraphBuilder& g) { write_norm(g, form, daybreak::Shape(dims), scale, bias); }, {dims});
}

void test_layer_normalization() {
  require_fused(compare_norm({}), "LayerNormalization", 1, "as exporters emit it");
  require_fused(compare_norm({.power = false, .reciprocal = true}), "LayerNormalization", 1, "with products");
  require_fused(compare_norm({.affine = false}), "LayerNormalization", 1, "without weights");
  require_fused(compare_norm({.axes = {1, 2}, .weight = {5, 24}}), "LayerNormalization", 1, "over two axes");
  require_equal(compare_norm({}).count("Sqrt"), size_t{0}, "Sqrt nodes that are left");
}

void test_not_layer_normalization() {
  require_fused(compare_norm({.axes = {1}, .affine = false}), "LayerNormalization", 0, "over an inner axis");
  require_fused(compare_norm({.mean_is_output = true}), "LayerNormalization", 0, "the mean is an output");
  require_fused(compare_norm({.mean_is_read = true}), "LayerNormalization", 0, "somebody else reads the mean");
  require_fused(compare_norm({.square_is_read = true}), "LayerNormalization", 0, "somebody else reads the square");
  // A weight with an axis for the rows: the normalisation is one node, product and sum another.
  const auto rows = compare_norm({.weight = {5, 24}});
  require_fused(rows, "LayerNormalization", 1, "a weight per row");
  require_equal(rows.count("Elementwise"), size_t{1}, "nodes beside it");
}

// Extents that differ between runs: rows are never assumed to be another number than 1.
void test_layer_normalization_of_open_extents() {
  const Floats scale = fractions(24, 1), bias = fractions(24, 2);
  for (const Dims& dims : {Dims{1, 1, 24}, Dims{3, 9, 24}}) {
    const auto result = compare(
        [&](GraphBuilder& g) { write_norm(g, {}, {g.symbol("batch", 1, 4), g.symbol("length"), 24}, scale, bias); },
        {dims});
    require_fused(result, "LayerNormalization", 1, "with open extents");
  }
}

// As Llama's exporters write it: x * (1 / sqrt(mean(x^2) + epsilon)) * weight, the weight in front; and with a quotient.
void test_rms_normalization() {
  require_fused(compare_norm({.reciprocal = true, .centred = false}), "RMSNormalization", 1, "as exporters emit it");
  require_fused(compare_norm({.centred = false}), "RMSNormalization", 1, "with a quotient");
  require_fused(compare_norm({.power = false, .centred = false}), "RMSNormalization", 1, "with a product");
  require_fused(compare_norm({.centred = false, .affine = false}), "RMSNormalization", 1, "without a weight");
  require_equal(compare_norm({.centred = false}).count("Sqrt"), size_t{0}, "Sqrt nodes that are left");
  const Floats scale = fractions(24, 1);
  const auto inverted = compare(
      [&](GraphBuilder& g) {
        const Value x = g.input<float>("x", {5, 24});
        const Value mean = g.node("ReduceMean", {g.node("Pow", {x, number(g, 2)}), g.constant<int64_t>({-1})});
        const Value inverse = g.node("Reciprocal", {g.node("Sqrt", {g.node("Add", {mean, number(g, 1e-6f)})})});
        g.output(g.node("Mul", {g.param("scale", std::span(scale), {24}), g.node("Mul", {x, inverse})}), "y");
      },
      {{5, 24}});
  require_fused(inverted, "RMSNormalization", 1, "with Reciprocal");
}

void test_not_rms_normalization() {
  require_fused(compare_norm({.axes = {1}, .centred = false, .affine = false}), "RMSNormalization", 0, "over an inner axis");
  require_fused(compare_norm({.axes = {-1}, .centred = false, .square_is_output = true}), "RMSNormalization", 0, "the square is an output");
  require_fused(compare_norm({.centred = false, .square_is_read = true}), "RMSNormalization", 0, "somebody else reads the square");
  const auto others = compare(
      [](GraphBuilder& g) {
        const Value x = g.input<float>("x", {5, 24}), other = g.input<float>("other", {5, 24});
        const Value mean = g.node("ReduceMean", {g.node("Mul", {x, x}), g.constant<int64_t>({-1})});
        g.output(g.node("Div", {other, g.node("Sqrt", {g.node("Add", {mean, number(g, 1e-6f)})})}), "y");
      },
      {{5, 24}, {5, 24}});
  require_fused(others, "RMSNormalization", 0, "what is divided is another value");
}

// In f32 between two casts, as models of f16 have it. Numbers whose roots and products are exact: f16 leaves no room for tolerance.
struct CastForm {
  bool centred = false;
  bool wide_is_output = false, narrow_is_output = false;  // the f32 before, the f16 behind
  bool back = true;                                       // the second cast; else the result stays f32
  int64_t narrow = 10, narrow_again = 10;                 // types of the casts, as ONNX numbers them: f16
  bool affine = true;
  bool normalized_is_output = false, deviation_is_output = false;  // f32 values between the casts
};

Comparison compare_cast_norm(const CastForm& form) {
  constexpr int64_t kFloat = 1;
  const auto cast = [](GraphBuilder& g, Value v, int64_t to) { return g.node("Cast", {v}, {{"to", to}}); };
  static const Floats scale = [] {
    Floats powers(24);
    for (size_t i = 0; i < powers.size(); ++i) powers[i] = i % 3 == 0 ? 0.5f : i % 3 == 1 ? 1.0f : 4.0f;
    return powers;
  }();
  Floats x(5 * 24);  // squares have the mean 3 / 4, and the numbers themselves none
  for (size_t i = 0; i < x.size(); ++i) x[i] = (i % 2 ? 1.0f : -1.0f) * (i % 24 < 16 ? 1.0f : 0.5f);
  return compare(
      [&](GraphBuilder& g) {
        const Value narrow = cast(g, g.input<float>("x", {5, 24}), form.narrow), wide = cast(g, narrow, kFloat);
        if (form.wide_is_output) g.output(wide, "wide");
        const auto mean_of = [&](Value v) { return g.node("ReduceMean", {v, g.constant<int64_t>({-1})}); };
        const Value c = form.centred ? g.node("Sub", {wide, mean_of(wide)}) : wide;
        const Value deviation = g.node("Sqrt", {g.node("Add", {mean_of(g.node("Pow", {c, number(g, 2)})), number(g, 0.25f)})});
        if (form.deviation_is_output) g.output(deviation, "deviation");
        Value y = g.node("Mul", {c, g.node("Reciprocal", {deviation})});
        if (form.normalized_is_output) g.output(y, "normalized");
        if (form.back) y = cast(g, y, form.narrow_again);
        if (form.narrow_is_output) g.output(cast(g, y, kFloat), "narrow");
        const Value weight = g.param("scale", std::span(scale), {24});
        if (form.affine) y = g.node("Mul", {y, form.back ? cast(g, weight, form.narrow_again) : weight});
        g.output(form.back ? cast(g, y, kFloat) : y, "y");
      },
      {{5, 24}}, {x});
}

void test_normalization_between_casts() {
  for (const bool centred : {false, true}) {
    const char* op = centred ? "LayerNormalization" : "RMSNormalization";
    const auto inputs_in_half = [&](const Comparison& result) {
      size_t casts = result.count("Cast");
      for (const auto& node : result.placement.at("nodes"))
        if (node.at("op") == "Elementwise") ++casts;
      return casts;
    };
    const auto both = compare_cast_norm({.centred = centred});
    require_fused(both, op, 1, "between casts");
    require_equal(inputs_in_half(both), size_t{2}, "casts that are left: of the graph's input and output");
    const auto read = compare_cast_norm({.centred = centred, .wide_is_output = true});
    require_fused(read, op, 1, "the f32 is read elsewhere");
    const auto rounded = compare_cast_norm({.centred = centred, .narrow_is_output = true});
    require_fused(rounded, op, 1, "the normalised f16 is read elsewhere");
    require_equal(rounded.count("Mul") + rounded.count("Elementwise") > 0, true, "the weight stays outside");
    const auto wide = compare_cast_norm({.centred = centred, .back = false});
    require_fused(wide, op, 1, "a result of f32");
  }
}

// Casts are part of the op only where it has one 16-bit type before and behind, and nobody sees what is f32 between them.
void test_casts_that_stay() {
  constexpr int64_t kDouble = 11, kHalf = 10, kBrain = 16;
  for (const bool centred : {false, true}) {
    const char* op = centred ? "LayerNormalization" : "RMSNormalization";
    const auto casts = [](const Comparison& result) { return result.count("Cast") + result.count("Elementwise"); };
    const auto stay = [&](const CastForm& form, const char* what) {
      const auto result = compare_cast_norm(form);
      require_fused(result, op, 1, what);
      require(casts(result) > 2, "{}: {} casts are left, those of input and output among them", what, casts(result));
    };
    stay({.centred = centred, .narrow_again = kBrain, .affine = false}, "another type behind");
    stay({.centred = centred, .narrow = kDouble, .narrow_again = kHalf, .affine = false}, "f64 before");
    stay({.centred = centred, .affine = false, .normalized_is_output = true}, "the normalised f32 is an output");
    require_fused(compare_cast_norm({.centred = centred, .deviation_is_output = true}), op, 0, "the deviation is an output");
    const auto brain = compare_cast_norm({.centred = centred, .narrow = kBrain, .narrow_again = kBrain, .affine = false});
    require_fused(brain, op, 1, "bf16, without a weight");
  }
}

// ---- SiLU ----

// x sigmoid(x) is one step, whatever stands for it; and part of the product that it follows.
void test_silu() {
  const auto silu = [](GraphBuilder& g, Value x) { return g.node("Mul", {x, g.node("Sigmoid", {x})}); };
  const auto steps = [](const Comparison& result) {
    return result.count("Swish") + result.count("Elementwise") + result.count("Mul") + result.count("Sigmoid");
  };
  const auto alone = compare([&](GraphBuilder& g) { g.output(silu(g, g.input<float>("x", {3, 70})), "y"); }, {{3, 70}});
  require_equal(steps(alone), size_t{1}, "steps of a SiLU");
  require_equal(alone.count("Sigmoid"), size_t{0}, "Sigmoid nodes that are left");
  const Floats w = fractions(16 * 24, 3);
  const auto behind = compare(
      [&](GraphBuilder& g) { g.output(silu(g, g.node("MatMul", {g.input<float>("x", {5, 16}), g.param("w", std::span(w), {16, 24})})), "y"); },
      {{5, 16}});
  require_fused(behind, "FusedMatMul", 1, "behind a product");
  require_equal(steps(behind), size_t{0}, "steps beside the product");
}

void test_not_silu() {
  const auto shared = compare(
      [](GraphBuilder& g) {
        const Value x = g.input<float>("x", {3, 70}), sigmoid = g.node("Sigmoid", {x});
        g.output(sigmoid, "z");
        g.output(g.node("Mul", {x, sigmoid}), "y");
      },
      {{3, 70}});
  require_fused(shared, "Sigmoid", 1, "the sigmoid is an output");
  require_fused(shared, "Mul", 1, "the sigmoid is an output");
  const auto read = compare(
      [](GraphBuilder& g) {
        const Value x = g.input<float>("x", {3, 70}), sigmoid = g.node("Sigmoid", {x});
        g.output(g.node("ReduceMax", {sigmoid}), "z");
        g.output(g.node("Mul", {x, sigmoid}), "y");
      },
      {{3, 70}});
  require_fused(read, "Sigmoid", 1, "somebody else reads the sigmoid");
  require_fused(read, "Mul", 1, "somebody else reads the sigmoid");
  const auto others = compare(
      [](GraphBuilder& g) { g.output(g.node("Mul", {g.input<float>("x", {70}), g.node("Sigmoid", {g.input<float>("gate", {70})})}), "y"); },
      {{70}, {70}});
  require_fused(others, "Swish", 0, "a gate of another value");
}

// ---- BatchNormalization ----

struct BatchNorm {
  Floats scale = fractions(6, 11), bias = fractions(6, 12), mean = fractions(6, 13), variance = fractions(6, 14);
  BatchNorm() {
    for (float& v : variance) v = v * v + 0.1f;
  }
  Value write(GraphBuilder& g, Value x) const {
    return g.node("BatchNormalization",
                  {x, g.param("scale", std::span(scale), {6}), g.param("bn_bias", std::span(bias), {6}),
                   g.param("mean", std::span(mean), {6}), g.param("variance", std::span(variance), {6})});
  }
};

void test_batch_normalization_of_a_convolution() {
  const BatchNorm bn;
  const Floats w = fractions(6 * 4 * 9, 15), b = fractions(6, 16);
  for (const bool biased : {false, true}) {
    const auto result = compare(
        [&](GraphBuilder& g) {
          const Value x = g.input<float>("x", {2, 4, 7, 9}), weight = g.param("w", std::span(w), {6, 4, 3, 3});
          const Value conv =
              biased ? g.node("Conv", {x, weight, g.param("b", std::span(b), {6})}) : g.node("Conv", {x, weight});
          g.output(g.node("Relu", {bn.write(g, conv)}), "y");
        },
        {{2, 4, 7, 9}});
    require_fused(result, "BatchNormalization", 0, biased ? "with a bias" : "without a bias");
    require_fused(result, "FusedConv", 1, "the convolution with its activation");
  }
}

void test_batch_normalization_of_products() {
  const BatchNorm bn;
  const Floats w = fractions(4 * 6, 15), b = fractions(6, 16);
  for (const bool transposed : {false, true}) {
    const auto result = compare(
        [&](GraphBuilder& g) {
          const Value weight = g.param("w", std::span(w), transposed ? Dims{6, 4} : Dims{4, 6});
          g.output(bn.write(g, g.node("Gemm", {g.input<float>("x", {5, 4}), weight, g.param("b", std::span(b), {6})},
                                      {{"transB", transposed ? 1 : 0}, {"alpha", 0.5f}})),
                   "y");
        },
        {{5, 4}});
    require_fused(result, "BatchNormalization", 0, "behind Gemm");
  }
  const auto product = compare(
      [&](GraphBuilder& g) {
        g.output(bn.write(g, g.node("MatMul", {g.input<float>("x", {5, 4}), g.param("w", std::span(w), {4, 6})})), "y");
      },
      {{5, 4}});
  require_fused(product, "BatchNormalization", 0, "behind MatMul");
}

// A product without columns; its scaling has no numbers either.
void test_batch_normalization_without_channels() {
  const auto result = compare(
      [](GraphBuilder& g) {
        const auto none = [&](const char* name) { return g.param(name, DBK_F32, {0}, {}); };
        const Value product = g.node("Gemm", {g.input<float>("x", {5, 4}), g.param("w", DBK_F32, {4, 0}, {})});
        g.output(g.node("BatchNormalization", {product, none("scale"), none("bias"), none("mean"), none("variance")}), "y");
      },
      {{5, 4}});
  require_fused(result, "BatchNormalization", 0, "without channels");
}

void test_batch_normalization_that_stays() {
  const BatchNorm bn;
  const Floats w = fractions(6 * 4 * 9, 15);
  const auto shared = compare(
      [&](GraphBuilder& g) {
        const Value conv =
            g.node("Conv", {g.input<float>("x", {2, 4, 7, 9}), g.param("w", std::span(w), {6, 4, 3, 3})});
        g.output(bn.write(g, conv), "y");
        g.output(g.node("Neg", {conv}), "z");
      },
      {{2, 4, 7, 9}});
  require_fused(shared, "BatchNormalization", 1, "somebody else reads the convolution");
  const auto seen = compare(
      [&](GraphBuilder& g) {
        const Value conv = g.node("Conv", {g.input<float>("x", {2, 4, 7, 9}), g.param("w", std::span(w), {6, 4, 3, 3})});
        g.output(conv, "z");
        g.output(bn.write(g, conv), "y");
      },
      {{2, 4, 7, 9}});
  require_fused(seen, "BatchNormalization", 1, "the convolution is an output");
  const auto given = compare(
      [&](GraphBuilder& g) { g.output(bn.write(g, g.node("Conv", {g.input<float>("x", {2, 4, 7, 9}), g.input<float>("w", {6, 4, 3, 3})})), "y"); },
      {{2, 4, 7, 9}, {6, 4, 3, 3}});
  require_fused(given, "BatchNormalization", 1, "each run brings its weights");
  const auto alone =
      compare([&](GraphBuilder& g) { g.output(bn.write(g, g.node("Abs", {g.input<float>("x", {2, 6, 7})})), "y"); },
              {{2, 6, 7}});
  require_fused(alone, "BatchNormalization", 1, "nothing to fold into");
}

// ---- transposed operands ----

void test_transposed_operands() {
  const auto both = compare(
      [](GraphBuilder& g) {
        g.output(g.node("MatMul", {g.node("Transpose", {g.input<float>("a", {4, 5})}),
                                   g.node("Transpose", {g.input<float>("b", {6, 4})})}),
                 "y");
      },
      {{4, 5}, {6, 4}});
  require_fused(both, "Transpose", 0, "both operands");
  const auto shared = compare(
      [](GraphBuilder& g) {
        const Value turned = g.node("Transpose", {g.input<float>("a", {4, 5})});
        g.output(turned, "t");
        g.output(g.node("Gemm", {turned, g.input<float>("b", {5, 3})}, {{"transA", 1}}), "y");
      },
      {{4, 5}, {5, 3}});
  require_fused(shared, "Transpose", 1, "an output");
  const auto read = compare(
      [](GraphBuilder& g) {
        const Value turned = g.node("Transpose", {g.input<float>("a", {4, 5})});
        g.output(g.node("Abs", {turned}), "t");
        g.output(g.node("MatMul", {turned, g.input<float>("b", {4, 3})}), "y");
      },
      {{4, 5}, {4, 3}});
  require_fused(read, "Transpose", 1, "somebody else reads it");
  require_fused(read, "Gemm", 1, "somebody else reads it");
  const auto batches = compare(
      [](GraphBuilder& g) {
        g.output(g.node("MatMul", {g.node("Transpose", {g.input<float>("a", {2, 4, 5})}, {{"perm", {0, 2, 1}}}), g.input<float>("b", {2, 4, 3})}), "y");
      },
      {{2, 4, 5}, {2, 4, 3}});
  require_fused(batches, "Transpose", on_gpu() ? 1 : 0, "a matrix per batch");  // GPUs read rows faster
  require_fused(batches, "Gemm", 0, "a matrix per batch");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(
      argc, argv, "patterns_test.cpp",
      {GRAPH_TEST(test_gelu), GRAPH_TEST(test_not_gelu), GRAPH_TEST(test_near_misses_are_told),
       GRAPH_TEST(test_layer_normalization), GRAPH_TEST(test_not_layer_normalization),
       GRAPH_TEST(test_layer_normalization_of_open_extents),
       GRAPH_TEST(test_rms_normalization), GRAPH_TEST(test_not_rms_normalization), GRAPH_TEST(test_normalization_between_casts), GRAPH_TEST(test_casts_that_stay), GRAPH_TEST(test_silu),
       GRAPH_TEST(test_not_silu), GRAPH_TEST(test_batch_normalization_of_a_convolution),
       GRAPH_TEST(test_batch_normalization_of_products), GRAPH_TEST(test_batch_normalization_that_stays), GRAPH_TEST(test_batch_normalization_without_channels),
       GRAPH_TEST(test_transposed_operands)});
}
