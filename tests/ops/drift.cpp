#include "tests/ops/drift.h"

#include <algorithm>
#include <cmath>

#include "host_fallback/einsum.h"
#include "plugin/graph/schema.h"
#include "tests/ops/attention_drift.h"
#include "tests/ops/float_type.h"
#include "tests/ops/in_double.h"
#include "tests/ops/normalization_drift.h"
#include "tests/ops/sampling_drift.h"
#include "tests/ops/sum_drift.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::HostTensor;


double square(double x) { return x * x; }

// Root of the sum of squared terms of an output: the op itself on squares, with the squares of its factors.
std::vector<double> root_of_squares(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs, size_t output = 0) {
  dbk::Attributes attrs;
  for (const dbk::Attribute& a : test.attrs.items()) {
    const auto* factor = std::get_if<double>(&a.value);
    attrs.set(a.name, factor ? dbk::AttributeValue(square(*factor)) : a.value);
  }
  std::vector<double> roots = numbers(run_host(row, test.opset, attrs, in_double(inputs, square), test.outputs.size())[output]);
  for (double& root : roots) root = std::sqrt(root);
  return roots;
}

std::vector<double> drift_of_sum(const std::vector<double>& y, const std::vector<double>& roots, double growth) {
  std::vector<double> drift(y.size());
  for (size_t i = 0; i < y.size(); ++i) drift[i] = growth * std::max(std::fabs(y[i]), roots[i]);
  return drift;
}

// Length of the sums, and the two factors after them.
double additions_of_product(const dbk::OpRow& row, const OpCase& test) {
  const Shape& a = test.inputs[0].shape;
  if (row.family == "einsum") {
    std::vector<const Shape*> shapes;
    for (const Operand& operand : test.inputs) shapes.push_back(&operand.shape);
    return static_cast<double>(dbk::plan_einsum(test.attrs.text("equation"), shapes).summed.count());
  }
  if (row.family == "matmul") return static_cast<double>(a[a.rank() - 1]);
  if (row.id == "permuted_matmul") return static_cast<double>(a[static_cast<size_t>(test.attrs.has("permA") ? test.attrs.integers("permA").back() : a.rank() - 1)]);
  if (row.family == "transposed_matmul") {  // and alpha
    const bool columns = test.attrs.integer_or("transA", 0) != 0 && a.rank() > 1;
    return static_cast<double>(a[!columns ? a.rank() - 1 : test.attrs.integer_or("transBatchA", 0) != 0 ? 0 : a.rank() - 2]) + 1;
  }
  if (row.family == "conv_transpose") {
    const Shape& w = test.inputs[1].shape;
    return w[1] == 0 ? 1 : static_cast<double>(w.count() / w[1] / test.attrs.integer_or("group", 1)) + 1;
  }
  if (row.family == "conv") {
    const Shape& w = test.inputs[1].shape;
    return w[0] == 0 ? 1 : static_cast<double>(w.count() / w[0]) + 1;
  }
  return static_cast<double>(a[test.attrs.integer_or("transA", 0) != 0 ? 0 : 1]) + 2;
}

// The weights are what the op makes of an identity; the roots of the sums of squared terms follow from them.
std::vector<double> roots_of_blocks(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs) {
  const int64_t k = test.attrs.integer("K"), n = test.attrs.integer("N");
  std::vector<double> ones(static_cast<size_t>(k * k));
  for (int64_t i = 0; i < k; ++i) ones[static_cast<size_t>(i * k + i)] = 1;
  const auto bytes = std::as_bytes(std::span(ones));
  Tensors operands = in_double(inputs, same);
  operands[0] = {{DBK_F64, {k, k}}, {bytes.begin(), bytes.end()}};
  operands.resize(std::min<size_t>(operands.size(), 4));
  const std::vector<double> weights = numbers(run_host(row, test.opset, test.attrs, operands, 1)[0]), a = numbers(inputs[0]);
  std::vector<double> roots;
  for (size_t i = 0; i < a.size(); i += static_cast<size_t>(k))
    for (size_t j = 0; j < static_cast<size_t>(n); ++j) {
      double sum = 0;
      for (size_t d = 0; d < static_cast<size_t>(k); ++d) sum += std::pow(a[i + d] * weights[d * static_cast<size_t>(n) + j], 2);
      roots.push_back(std::sqrt(sum));
    }
  return roots;
}

// The product before the bias has three roundings: the sum, the scales, their product.
void add_drift_of_scaled_product(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs, Expected& expected) {
  Tensors operands = in_double(inputs, same);
  operands.resize(std::min<size_t>(operands.size(), 6));
  for (double y : numbers(run_host(row, test.opset, test.attrs, operands, 1)[0])) expected.drift.push_back(3 * std::fabs(y));
}

// The same beside a result that has these roundings, too, of half a unit each.
void add_drift_of_dynamic_product(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs, Expected& expected) {
  const Tensors operands(inputs.begin(), inputs.begin() + static_cast<ptrdiff_t>(std::min<size_t>(inputs.size(), 4)));
  for (double y : numbers(run_host(row, test.opset, test.attrs, operands, 1)[0])) expected.drift.push_back(4.5 * std::fabs(y));
}

std::vector<double> drift_of_reduction(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs,
                                       const HostTensor& y) {
  if (y.type.count() == 0) return {};
  const double length = static_cast<double>(inputs[0].type.count()) / static_cast<double>(y.type.count());
  std::vector<double> roots = root_of_squares(row, test, inputs);
  if (row.id == "reduce_mean" || row.id == "global_average_pool")  // so far the root of the mean of the squares
    for (double& root : roots) root /= std::sqrt(length);
  return drift_of_sum(numbers(y), roots, blocked(length));
}

// The root of a sum, or its logarithm, from what moves the sum: dy = dt / (2 y), dy = dt / t.
std::vector<double> drift_of_mapped_sum(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs,
                                        const HostTensor& y) {
  if (y.type.count() == 0) return {};
  const double growth = blocked(static_cast<double>(inputs[0].type.count()) / static_cast<double>(y.type.count()));
  const bool root = row.id == "reduce_l2";
  Tensors squares = in_double(inputs, square);
  const std::vector<double> results = numbers(y);
  std::vector<double> roots = numbers(run_host(root ? row.name : "ReduceSum", test.opset, test.attrs, squares)[0]), drift;
  for (size_t i = 0; i < results.size(); ++i) {
    const double sum = root ? square(results[i]) : std::exp(results[i]);
    const double terms = root ? roots[i] : std::sqrt(roots[i]);
    const double moved = growth * std::max(sum, terms);
    drift.push_back(sum == 0 ? 0 : root ? moved / (2 * results[i]) : 1 + moved / sum);
  }
  return drift;
}

// Every factor rounds: relative errors add up as a chain's do.
std::vector<double> drift_of_product(std::span<const HostTensor> inputs, const HostTensor& y) {
  if (y.type.count() == 0) return {};
  const double growth = chain(static_cast<double>(inputs[0].type.count()) / static_cast<double>(y.type.count()));
  std::vector<double> drift = numbers(y);
  for (double& v : drift) v = growth * std::fabs(v);
  return drift;
}

// The product before the addition of HardSigmoid, where the result is not cut off anyway.
std::vector<double> drift_of_hard_sigmoid(const OpCase& test, const HostTensor& x) {
  const auto attribute = [&](const char* name, float otherwise) {
    return test.attrs.has(name) ? test.attrs.real(name) : static_cast<double>(otherwise);
  };
  const double alpha = attribute("alpha", 0.2f), beta = attribute("beta", 0.5f);
  std::vector<double> drift = numbers(x);
  for (double& v : drift) v = std::fabs(alpha * v + beta - 0.5) < 1.5 ? std::fabs(alpha * v) : 0;
  return drift;
}

// Partial sums of a chain are stored, so 16-bit ones are rounded to their type.
std::vector<double> drift_of_chain(const OpCase& test, std::span<const HostTensor> inputs, const HostTensor& y, Kind kind) {
  std::vector<double> drift(static_cast<size_t>(y.type.count()));
  const FloatType type = float_type(inputs[0].type.dtype);
  const double stored = 0.5 * type.stored / type.epsilon / (kind == Kind::Gpu ? 1 : 0.5);
  Tensors operands = in_double(inputs, same);
  const HostTensor zero = run_host("Sub", test.opset, {}, {y, y})[0];
  for (size_t n = 2; n < inputs.size(); ++n) {
    const Tensors first(operands.begin(), operands.begin() + static_cast<ptrdiff_t>(n));
    const std::vector<double> sums = numbers(run_host("Add", test.opset, {}, {run_host("Sum", test.opset, {}, first)[0], zero})[0]);
    for (size_t i = 0; i < drift.size(); ++i) drift[i] += (1 + stored) * std::fabs(sums[i]);
  }
  return drift;
}

// Sums of more than two operands: a chain of them, and the products with its share.
std::vector<double> drift_of_mean(const OpCase& test, std::span<const HostTensor> inputs) {
  if (inputs.size() < 3) return {};
  const double growth = chain(static_cast<double>(inputs.size()) + 1);
  std::vector<double> drift = numbers(run_host("Mean", test.opset, {}, in_double(inputs, square))[0]);
  for (double& v : drift) v = growth * std::sqrt(v / static_cast<double>(inputs.size()));
  return drift;
}

// alpha x is rounded before it becomes an exponent.
std::vector<double> drift_of_swish(const OpCase& test, const HostTensor& x, const HostTensor& y) {
  const double alpha = test.attrs.has("alpha") ? test.attrs.real("alpha") : 1.0;
  std::vector<double> drift = numbers(y);
  const std::vector<double> xs = numbers(x);
  for (size_t i = 0; i < drift.size(); ++i) {
    const double u = alpha * xs[i];
    drift[i] = alpha == 1 || !std::isfinite(u) ? 0 : std::fabs(drift[i] * u) / (1 + std::exp(u));
  }
  return drift;
}

double length_of_softmax(const OpCase& test) {
  const Shape& shape = test.inputs[0].shape;
  const bool flattens = test.opset < 13;
  const auto rank = static_cast<int64_t>(shape.rank());
  const int64_t axis = test.attrs.integer_or("axis", flattens ? 1 : -1);
  double length = 1;
  for (int64_t d = axis < 0 ? axis + rank : axis; d < rank; ++d) {
    length *= static_cast<double>(shape[static_cast<size_t>(d)]);
    if (!flattens) break;
  }
  return length;
}

std::vector<double> drift_of_softmax(const OpCase& test, const HostTensor& y, Kind kind) {
  const double sum = kind == Kind::Gpu ? blocked(length_of_softmax(test)) : 0;
  std::vector<double> drift = numbers(y);
  for (double& v : drift) v = v > 0 ? v * (sum - std::log(v)) : 0;
  return drift;
}

dbk::AttentionGeometry geometry_of_attention(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs) {
  dbk::Attributes attrs = test.attrs;
  check_attributes_and_fill_defaults(*dbk::find_schema(row.domain, row.name, test.opset), attrs);
  std::vector<dbk::TensorType> types;
  for (const HostTensor& input : inputs) types.push_back(input.type);
  return attention_geometry(row.id, attrs, dbk::OperandTypes(types));
}

// Both products of a turned pair: |cos x1| + |sin x2| for its first element, with the sine's sign turned, else |sin x1| + |cos x2|.
void add_drift_of_rotary_embedding(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs, std::vector<Expected>& expected) {
  Tensors sizes = in_double(inputs, [](double x) { return std::fabs(x); });
  const Tensors second = run_host(row, test.opset, test.attrs, sizes, expected.size());
  const size_t sine = row.id == "rotary_embedding" ? 2 : 3;
  sizes[sine] = in_double(sizes[sine], [](double x) { return -x; });
  const Tensors first = run_host(row, test.opset, test.attrs, sizes, expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::vector<double> a = numbers(first[i]), b = numbers(second[i]);
    expected[i].drift.resize(a.size());
    std::ranges::transform(a, b, expected[i].drift.begin(), [](double x, double y) { return std::max(x, y); });
  }
}

double largest(const HostTensor& tensor) {
  double most = 0;
  for (double v : numbers(tensor)) most = std::max(most, std::fabs(v));
  return most;
}

// Of one rounding to a type, in roundings of the type that computes.
double rounding_in_f32(DType dtype) { return dtype == DBK_F16 ? 0x1p13 : dtype == DBK_BF16 ? 0x1p16 : 1; }

// Bounded for all rows at once: a score is off by the chain of its product and its own roundings, with rotated operands twice; weights by as
// much, their exponentials and rescalings; the result by weights and sums.
std::vector<double> drift_of_group_query(const OpCase& test, std::span<const HostTensor> inputs, const HostTensor& y) {
  double most = 1, turned = 1;  // turned: of a sum of two products with the caches
  for (size_t i : {0u, 1u, 2u, 3u, 4u})
    if (i < inputs.size() && is_real(inputs[i])) most = std::max(most, largest(inputs[i]));
  for (size_t i : {7u, 8u})
    if (i < inputs.size() && is_real(inputs[i])) turned = 1 + 2 * largest(inputs[i]);
  const Shape& q = inputs[0].type.shape;
  const bool packed = inputs[1].type.dtype == DBK_DTYPE_NONE;
  const int64_t heads = test.attrs.integer("num_heads") + (packed ? 2 * test.attrs.integer("kv_num_heads") : 0);
  const double size = static_cast<double>(q[2] / heads), keys = static_cast<double>(numbers(inputs[6])[0]);
  const double scale = test.attrs.has("scale") ? std::fabs(test.attrs.real("scale")) : 1 / std::sqrt(size);
  const double product = scale * most * most * turned * turned;
  const double score = 2 * product * (chain(size) * std::sqrt(size) + 2 * size) + 7 * (test.attrs.has("softcap") ? test.attrs.real("softcap") : 0) + 8 +
                       (turned > 1 ? 2 * rounding_in_f32(inputs[0].type.dtype) * product * size : 0);  // rotated, then rounded to their type
  return std::vector<double>(static_cast<size_t>(y.type.count()), most * (2 * (2 * score + 2.8 * std::log2(keys + 2)) + chain(2 * keys)));
}

// As LayerNormalization without scale.
std::vector<double> drift_of_mean_variance(const OpCase& test, const HostTensor& y) {
  double length = 1;
  for (int64_t axis : test.attrs.has("axes") ? test.attrs.integers("axes") : std::vector<int64_t>{0, 2, 3})
    length *= static_cast<double>(y.type.shape[dbk::normalize_axis(axis, y.type.shape.rank())]);
  std::vector<double> drift = numbers(y);
  for (double& v : drift) v = (14 + blocked(length) / 2) * std::fabs(v) + blocked(length) / std::sqrt(std::max(length, 1.0));
  return drift;
}

double one(double) { return 1; }

// Taps of each window inside the input: the sum of ones.
std::vector<double> taps_of(const OpCase& test, std::span<const HostTensor> inputs) {
  dbk::Attributes attrs;
  for (const dbk::Attribute& a : test.attrs.items())
    if (a.name != "p" && a.name != "count_include_pad") attrs.set(a.name, a.value);
  attrs.set("p", int64_t{1});
  const bool global = !test.attrs.has("kernel_shape");
  return numbers(run_host(global ? "GlobalLpPool" : "LpPool", test.opset, attrs, in_double(inputs, one))[0]);
}

std::vector<double> drift_of_pool(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs,
                                  const HostTensor& y) {
  const std::vector<double> taps = taps_of(test, inputs);
  std::vector<double> drift = numbers(y);
  if (row.id == "average_pool") {
    const std::vector<double> shares = numbers(run_host(row.name, test.opset, test.attrs, in_double(inputs, one))[0]);
    const std::vector<double> roots = root_of_squares(row, test, inputs);  // of the mean of the squares
    for (size_t i = 0; i < drift.size(); ++i)
      drift[i] = chain(taps[i]) * std::max(std::fabs(drift[i]), roots[i] * std::sqrt(shares[i] / taps[i]));
    return drift;
  }
  const auto power = static_cast<double>(test.attrs.integer_or("p", 2));
  const double steps = power > 2 ? 10 : power == 2 ? 0.5 : 0;
  for (size_t i = 0; i < drift.size(); ++i) drift[i] *= steps + chain(taps[i]) / power;
  return drift;
}

std::vector<double> drift_of_batch_normalisation(const OpCase& test, Tensors x, Kind kind) {
  std::ranges::fill(x[2].bytes, std::byte{0});  // no bias
  std::vector<double> drift = numbers(run_host("BatchNormalization", test.opset, test.attrs, x)[0]);
  for (double& v : drift) v = (kind == Kind::Gpu ? 8.5 : 4) * std::fabs(v);
  return drift;
}

// Training: the result as a group of all elements of a channel (below); a running number is two products of 1 and 2 roundings, of which the
// new one has its own error: the mean's part of the deviation, the variance's the roundings of squares, their sum and their mean.
void add_drift_of_training(const OpCase& test, const Tensors& x, std::vector<Expected>& expected) {
  const Shape& shape = x[0].type.shape;
  if (shape.count() == 0) return;
  const auto channels = static_cast<size_t>(shape.rank() > 1 ? shape[1] : 1);
  const double length = static_cast<double>(shape.count()) / static_cast<double>(channels);
  const double growth = blocked(length), of_mean = growth / std::sqrt(length);
  for (double& v : expected[0].drift) v = (14 + growth / 2) / 8.5 * v + of_mean * largest(x[1]);
  const double momentum = test.attrs.real("momentum"), epsilon = test.attrs.real("epsilon");
  if (expected.size() < 3) return;
  const std::vector<double> mean = numbers(expected[1].exact), variance = numbers(expected[2].exact), old_mean = numbers(x[3]), old_variance = numbers(x[4]);
  for (size_t c = 0; c < channels; ++c) {
    const double kept_mean = old_mean[c] * momentum, kept_variance = old_variance[c] * momentum;
    const double new_mean = mean[c] - kept_mean, new_variance = variance[c] - kept_variance;
    const double deviation = std::sqrt(std::fabs(new_variance / (1 - momentum)) + epsilon);
    expected[1].drift.push_back(std::fabs(kept_mean) + 3 * std::fabs(new_mean) + (1 - momentum) * (1 + of_mean) * deviation);
    expected[2].drift.push_back(std::fabs(kept_variance) + (growth + 8.5) * std::fabs(new_variance));
  }
}

std::vector<double> drift_of_groups(const dbk::OpRow& row, const OpCase& test, Tensors x, Kind kind) {
  if (x[0].type.count() == 0) return {};
  const Shape& shape = x[0].type.shape;
  const int64_t groups = test.attrs.integer_or("num_groups", shape[1]);
  const double length = static_cast<double>(shape.count() / shape[0] / groups);
  const double growth = kind == Kind::Gpu ? blocked(length) : 0, of_mean = growth / std::sqrt(length) * largest(x[1]);
  std::ranges::fill(x[2].bytes, std::byte{0});  // no bias
  std::vector<double> drift = numbers(run_host(row.name, test.opset, test.attrs, x)[0]);
  for (double& v : drift) v = ((kind == Kind::Gpu ? 14 : 5) + growth / 2) * std::fabs(v) + of_mean;
  return drift;
}

// The two products, each rounded before the addition that the row counts: the op with one table, and with the other.
std::vector<double> drift_of_rotary(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs) {
  std::vector<double> drift(static_cast<size_t>(inputs[0].type.count()));
  for (size_t absent : {1, 2}) {
    Tensors x = in_double(inputs, same);
    std::ranges::fill(x[absent].bytes, std::byte{0});
    const std::vector<double> product = numbers(run_host(row, test.opset, test.attrs, x)[0]);
    for (size_t i = 0; i < drift.size(); ++i) drift[i] += std::fabs(product[i]);
  }
  return drift;
}

std::vector<double> scaled(const HostTensor& y, double factor) {
  std::vector<double> drift = numbers(y);
  for (double& v : drift) v = std::fabs(v) * factor;
  return drift;
}

double drift_of_norm(const OpCase& test) {
  const Shape& shape = test.inputs[0].shape;
  const int64_t axis = test.attrs.integer("axis");
  const double length = static_cast<double>(shape[static_cast<size_t>(axis < 0 ? axis + shape.rank() : axis)]);
  return test.attrs.integer("p") == 2 ? (1 + blocked(length)) / 2 : blocked(length);
}

double drift_of_response(const OpCase& test) {
  const double size = static_cast<double>(std::min(test.attrs.integer("size"), test.inputs[0].shape[1]));
  return (4 + chain(2 * size)) * test.attrs.real("beta");
}

// All outputs are states or copies of them.
void add_drift_of_recurrence(const OpCase& test, std::span<const HostTensor> inputs, std::vector<Expected>& expected) {
  const Shape& x = inputs[0].type.shape;
  const auto steps = static_cast<double>(x[test.attrs.integer_or("layout", 0) != 0 ? 1 : 0]);
  const auto input = static_cast<double>(x[2]), hidden = static_cast<double>(test.attrs.integer("hidden_size"));
  const auto size = [&](size_t i) { return i < inputs.size() && is_real(inputs[i]) ? largest(inputs[i]) : 0; };
  double state = std::max(size(5), size(6));
  for (const Expected& output : expected) state = std::max(state, largest(output.exact));
  const double root = std::sqrt(input) * size(0) * size(1) + std::sqrt(hidden) * state * size(2) + 2 * size(3) + state * size(7);
  const double step = (chain(input + hidden + 2) * root + 8) * (1 + state);
  for (Expected& output : expected)
    output.drift.assign(static_cast<size_t>(output.exact.type.count()), std::max(steps, 1.0) * step);
}

}  // namespace

void add_drift(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs, Kind kind,
               std::vector<Expected>& expected) {
  if (row.family == "scaled_matmul") return add_drift_of_scaled_product(row, test, inputs, expected[0]);
  if (row.family == "dynamic_matmul") return add_drift_of_dynamic_product(row, test, inputs, expected[0]);
  if (inputs.empty() || !is_real(inputs[0])) return;
  const HostTensor& y = expected[0].exact;
  if (row.family == "matmul" || row.family == "transposed_matmul" || row.family == "gemm" || row.family == "einsum" ||
      row.family.starts_with("conv"))
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i].drift = drift_of_sum(numbers(expected[i].exact), root_of_squares(row, test, inputs, i), chain(additions_of_product(row, test)));
  if (row.family == "block_matmul")  // weights are rounded, too
    expected[0].drift = drift_of_sum(numbers(y), roots_of_blocks(row, test, inputs), chain(static_cast<double>(test.attrs.integer("K")) + 2));
  if (row.family == "group_normalization")
    expected[0].drift = drift_of_groups(row, test, in_double(inputs, same), kind);
  if (row.family == "lp_normalization" && kind == Kind::Gpu) expected[0].drift = scaled(y, drift_of_norm(test));
  if (row.family == "lrn" && kind == Kind::Gpu) expected[0].drift = scaled(y, drift_of_response(test));
  if (row.family == "recurrent") add_drift_of_recurrence(test, inputs, expected);
  if (row.family == "batch_normalization")
    expected[0].drift = drift_of_batch_normalisation(test, in_double(inputs, same), kind);
  if (row.family == "batch_normalization" && kind == Kind::Gpu && test.attrs.integer_or("training_mode", 0) != 0)
    add_drift_of_training(test, in_double(inputs, same), expected);
  if (row.family == "attention") add_drift_of_attention(geometry_of_attention(row, test, inputs), inputs, expected);
  if (row.family == "group_query_attention") {
    expected[0].drift = drift_of_group_query(test, inputs, y);
    for (size_t i = 1; i < expected.size(); ++i)  // rotated keys: two products before an addition
      expected[i].drift.assign(static_cast<size_t>(expected[i].exact.type.count()), 2 * largest(inputs[0]) + 2 * largest(expected[i].exact));
  }
  if (row.family == "rotary_embedding") add_drift_of_rotary_embedding(row, test, inputs, expected);
  if (row.family == "rotary") expected[0].drift = drift_of_rotary(row, test, inputs);
  if (kind == Kind::Gpu || inputs[0].type.dtype == DBK_F64) {  // the CPU computes these in double
    const auto every = [&](double drift) { expected[0].drift.assign(static_cast<size_t>(y.type.count()), drift); };
    if (row.family == "resize") every(drift_of_resize(row, test, inputs));
    if (row.family == "grid_sample") every(drift_of_grid_sample(test, inputs));
    if (row.family == "stft") expected[0].drift = drift_of_stft(test, inputs, y);
    if (row.family == "dft") expected[0].drift = drift_of_dft(test, inputs, y);
    if (row.family == "roi_align") every(drift_of_roi_align(test, inputs));
  }
  if (kind == Kind::Gpu) {
    if (row.id == "reduce_sum" || row.id == "reduce_mean" || row.id == "reduce_l1" || row.id == "reduce_sum_square" ||
        row.id == "global_average_pool")
      expected[0].drift = drift_of_reduction(row, test, inputs, y);
    if (row.id == "reduce_l2" || row.id == "reduce_log_sum")
      expected[0].drift = drift_of_mapped_sum(row, test, inputs, y);
    if (row.id == "mean_variance_normalization") expected[0].drift = drift_of_mean_variance(test, y);
    if (row.family == "pool" && row.id != "max_pool") expected[0].drift = drift_of_pool(row, test, inputs, y);
    if (row.id == "reduce_prod") expected[0].drift = drift_of_product(inputs, y);
    if (row.id == "cum_sum") {
      const auto length = static_cast<double>(test.inputs[0].shape.count());
      expected[0].drift = drift_of_sum(numbers(y), root_of_squares(row, test, inputs), chain(length));
    }
    if (row.id == "log_softmax") {  // the sum's relative error: its own roundings, exponentials, rounded differences (at most log n)
      const double length = length_of_softmax(test);
      expected[0].drift.assign(static_cast<size_t>(y.type.count()), blocked(length) + 2 + std::log(std::max(length, 1.0)));
    }
    if (row.id == "reduce_log_sum_exp" && y.type.count() > 0) {  // as above, and the logarithm, at most log n, before the last sum
      const double length = std::max(static_cast<double>(inputs[0].type.count()) / static_cast<double>(y.type.count()), 1.0);
      expected[0].drift.assign(static_cast<size_t>(y.type.count()), blocked(length) + 2 + 4.1 * std::log(length));
    }
    if (row.id == "swish") expected[0].drift = drift_of_swish(test, inputs[0], y);
    if (row.id == "range") {
      const double start = numbers(inputs[0])[0];
      for (double v : numbers(y)) expected[0].drift.push_back(std::fabs(v - start));
    }
  }
  if (row.id == "hard_sigmoid") expected[0].drift = drift_of_hard_sigmoid(test, inputs[0]);
  if (row.id == "softmax") expected[0].drift = drift_of_softmax(test, y, kind);
  if (row.id == "mean" && kind == Kind::Gpu) expected[0].drift = drift_of_mean(test, inputs);
  if (row.id == "sum") expected[0].drift = drift_of_chain(test, inputs, y, kind);
  if (row.family == "layer_normalization")
    add_drift_of_normalization(row, test, in_double(inputs, same), kind, expected);
}

void add_operand_rounding(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs, std::vector<Expected>& expected) {
  constexpr double kInRoundings = 0x1p-10 / 0x1p-23;  // of f32
  for (size_t output = 0; output < expected.size(); ++output) {
    const std::vector<double> roots = root_of_squares(row, test, inputs, output);
    std::vector<double>& drift = expected[output].drift;
    for (size_t i = 0; i < drift.size(); ++i) drift[i] += 3 * kInRoundings * roots[i];
  }
}

}  // namespace ops
