#include "tests/ops/oracle.h"

#include <algorithm>
#include <cmath>

#include "plugin/graph/schema.h"
#include "tests/ops/awkward.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::Attributes;
using dbk::HostTensor;
using Tensors = std::vector<HostTensor>;

constexpr int64_t kOnnxDouble = 11;

Tensors run_host(std::string_view op, uint32_t opset, Attributes attrs, const Tensors& inputs, size_t outputs) {
  const dbk::OpRow* row = dbk::find_op("", op);
  const dbk::Schema* schema = dbk::find_schema("", op, opset);
  check_attributes_and_fill_defaults(*schema, attrs);
  const dbk::NodeView node{&attrs, schema->since};
  std::vector<dbk::Tensor> views(inputs.size());
  std::vector<dbk::InferInput> known(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].type.dtype == DBK_DTYPE_NONE) continue;
    views[i] = inputs[i].view();
    known[i] = {&inputs[i].type, &views[i]};
  }
  std::vector<dbk::TensorType> types(outputs);
  dbk::Infer infer(node, known, types);
  row->host->infer(infer);
  Tensors results;
  std::vector<dbk::Tensor> targets;
  for (const dbk::TensorType& type : types)
    results.push_back({type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))});
  for (const HostTensor& result : results) targets.push_back(result.view());
  dbk::Compute compute(node, views, targets);
  row->host->compute(compute);
  return results;
}

HostTensor map_to_double(const HostTensor& from, double (*f)(double)) {
  std::vector<double> values = numbers(from);
  for (double& value : values) value = f(value);
  const auto bytes = std::as_bytes(std::span(values));
  return {{DBK_F64, from.type.shape}, {bytes.begin(), bytes.end()}};
}

bool is_real(const HostTensor& tensor) { return tensor.type.dtype != DBK_DTYPE_NONE && is_float(tensor.type.dtype); }

Tensors in_double(std::span<const HostTensor> inputs, double (*f)(double)) {
  Tensors result(inputs.begin(), inputs.end());
  for (HostTensor& tensor : result)
    if (is_real(tensor)) tensor = map_to_double(tensor, f);
  return result;
}

double same(double x) { return x; }
double magnitude(double x) { return std::fabs(x); }

// Statistics come in a type of their own; the oracle wants them unrounded.
Attributes attributes_in_double(const dbk::OpRow& row, const OpCase& test) {
  if (row.family != "layer_normalization") return test.attrs;
  Attributes attrs;
  for (const dbk::Attribute& a : test.attrs.items())
    if (a.name != "stash_type") attrs.set(a.name, a.value);
  attrs.set("stash_type", kOnnxDouble);
  return attrs;
}

// The op itself on magnitudes, with the magnitudes of its factors.
std::vector<double> scale_of_sum(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs) {
  Attributes attrs;
  for (const dbk::Attribute& a : test.attrs.items()) {
    const auto* factor = std::get_if<double>(&a.value);
    attrs.set(a.name, factor ? dbk::AttributeValue(std::fabs(*factor)) : a.value);
  }
  return numbers(run_host(row.name, test.opset, attrs, in_double(inputs, magnitude), 1)[0]);
}

// |x| and the mean of |x| are the terms of a normalised element, times what they are multiplied with, plus |bias|.
std::vector<double> scale_of_normalised(const OpCase& test, const Tensors& x, const HostTensor& inverse) {
  const Tensors size = in_double(x, magnitude);
  const auto rank = static_cast<int64_t>(size[0].type.shape.rank());
  const int64_t axis = test.attrs.integer_or("axis", -1), first = axis < 0 ? axis + rank : axis;
  HostTensor axes{{DBK_I64, {rank - first}}, std::vector<std::byte>(static_cast<size_t>(rank - first) * 8)};
  for (int64_t d = first; d < rank; ++d) reinterpret_cast<int64_t*>(axes.bytes.data())[d - first] = d;
  const HostTensor mean = run_host("ReduceMean", 20, {}, {size[0], axes}, 1)[0];
  HostTensor scale = run_host("Add", 20, {}, {size[0], mean}, 1)[0];
  scale = run_host("Mul", 20, {}, {scale, inverse}, 1)[0];
  scale = run_host("Mul", 20, {}, {scale, size[1]}, 1)[0];
  if (size.size() > 2 && is_real(size[2])) scale = run_host("Add", 20, {}, {scale, size[2]}, 1)[0];
  return numbers(scale);
}

void add_scales(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs,
                std::vector<Expected>& expected) {
  const bool sums = row.family == "matmul" || row.family == "gemm" || row.id == "reduce_sum" || row.id == "reduce_mean";
  if (sums && is_real(inputs[0])) expected[0].scale = scale_of_sum(row, test, inputs);
  if (row.family != "layer_normalization") return;
  expected[0].scale = scale_of_normalised(test, in_double(inputs, same), expected[2].exact);
  const HostTensor size = map_to_double(inputs[0], magnitude);
  const Attributes attrs = attributes_in_double(row, test);
  expected[1].scale = numbers(run_host(row.name, test.opset, attrs, {size, in_double(inputs, same)[1]}, 2)[1]);
}

}  // namespace

bool moves(const dbk::OpRow& row) {
  constexpr std::string_view kFamilies[] = {"where", "transpose", "gather", "concat", "slice", "view", "constant"};
  return std::ranges::find(kFamilies, row.family) != std::end(kFamilies);
}

std::vector<Expected> expect(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs) {
  const Tensors operands = moves(row) ? Tensors(inputs.begin(), inputs.end()) : in_double(inputs, same);
  const size_t outputs = row.family == "layer_normalization" ? 3 : test.outputs.size();
  std::vector<Expected> expected;
  for (HostTensor& result : run_host(row.name, test.opset, attributes_in_double(row, test), operands, outputs))
    expected.push_back({std::move(result), {}});
  add_scales(row, test, inputs, expected);
  expected.resize(test.outputs.size());
  return expected;
}

}  // namespace ops
