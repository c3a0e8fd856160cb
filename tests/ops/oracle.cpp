#include "tests/ops/oracle.h"

#include <algorithm>
#include <cmath>

#include "tests/ops/drift.h"
#include "tests/ops/in_double.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::Attributes;
using dbk::HostTensor;

constexpr int64_t kOnnxDouble = 11;

// Statistics come in a type of their own; the oracle wants them unrounded.
Attributes attributes_in_double(const dbk::OpRow& row, const OpCase& test) {
  if (row.family != "layer_normalization" || row.id.starts_with("skip_")) return test.attrs;
  Attributes attrs;
  for (const dbk::Attribute& a : test.attrs.items())
    if (a.name != "stash_type") attrs.set(a.name, a.value);
  attrs.set("stash_type", kOnnxDouble);
  return attrs;
}

bool is_denormal(double x) { return x != 0 && std::fabs(x) < 0x1p-126; }

// Empty where no operand has a denormal of f32, or of bf16, which has the same ones and is computed as f32.
Tensors flushed(std::span<const HostTensor> inputs) {
  const auto denormals = [](const HostTensor& tensor) {
    return dbk::contains(dbk::F32 | dbk::BF16, tensor.type.dtype) && std::ranges::any_of(numbers(tensor), is_denormal);
  };
  if (std::ranges::none_of(inputs, denormals)) return {};
  return in_double(inputs, [](double x) { return is_denormal(x) ? std::copysign(0.0, x) : x; });
}

}  // namespace

bool moves(const dbk::OpRow& row) {
  constexpr std::string_view kFamilies[] = {"where", "transpose", "gather", "gather_nd", "concat", "slice",  "split",
                                            "pad",   "repeat",    "fill",   "extents",   "view",   "constant",
                                            "gather_elements", "trilu", "rearrange", "eye_like", "cast_like", "selection", "reverse_sequence",
                                            "tensor_scatter"};
  return row.id == "label_encoder" || std::ranges::find(kFamilies, row.family) != std::end(kFamilies);
}

bool discrete(const dbk::OpRow& row) {
  constexpr std::string_view kFamilies[] = {"quantize", "dynamic_quantize", "integer_matmul", "integer_conv", "quantized"};
  return std::ranges::find(kFamilies, row.family) != std::end(kFamilies);
}

bool computes_with_codes(const dbk::OpRow& row) { return row.family == "dynamic_matmul"; }

std::vector<Expected> expect(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs, Kind kind) {
  const size_t outputs = test.outputs.size();
  const auto run = [&](const Tensors& operands) {
    return run_host(row, test.opset, attributes_in_double(row, test), operands, outputs);
  };
  std::vector<Expected> expected;
  if (moves(row) || discrete(row) || computes_with_codes(row)) {
    for (HostTensor& result : run({inputs.begin(), inputs.end()})) expected.push_back({std::move(result), {}, {}});
    if (computes_with_codes(row)) add_drift(row, test, inputs, kind, expected);
    return expected;
  }
  for (HostTensor& result : run(in_double(inputs, same))) expected.push_back({std::move(result), {}, {}});
  if (const Tensors zeros = flushed(inputs); kind == Kind::Gpu && !zeros.empty()) {
    Tensors results = run(zeros);
    for (size_t i = 0; i < outputs; ++i) expected[i].flushed = std::move(results[i]);
  }
  add_drift(row, test, inputs, kind, expected);
  expected.resize(test.outputs.size());
  return expected;
}

}  // namespace ops
