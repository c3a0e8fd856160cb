#include "plugin/cpu/onednn_epilogue.h"

#include <algorithm>
#include <array>

#include "host_fallback/epilogue.h"

namespace dbk {

namespace {

using dnnl::algorithm;
using dnnl::memory;

// The value that step s continues: the product, or the result of the step before.
uint32_t chained(const Expression& e, size_t s) { return s == 0 ? 0 : e.operands + static_cast<uint32_t>(s) - 1; }

bool only_read_by(const Expression& e, uint32_t value, size_t s) {
  for (size_t i = 0; i < e.steps.size(); ++i)
    if (i != s && std::ranges::find(e.steps[i].inputs, value) != e.steps[i].inputs.end()) return false;
  return true;
}

std::optional<algorithm> algorithm_of(std::string_view id, bool chained_first) {
  if (id == "add") return algorithm::binary_add;
  if (id == "mul") return algorithm::binary_mul;
  if (id == "sub" && chained_first) return algorithm::binary_sub;
  return std::nullopt;
}

// One element for all, one for each column, or one for each of the product's; empty where it is neither.
memory::dims placed(const TensorType& operand, const memory::dims& product) {
  int64_t count = 1;
  for (int64_t d : product) count *= d;
  memory::dims dims(product.size(), 1);
  if (operand.count() == 1) return dims;
  if (operand.count() == count) return product;
  if (operand.count() != product.back()) return {};
  dims.back() = product.back();
  return dims;
}

std::optional<OnednnStep> step_of(const Node& node, const Expression& e, size_t s, std::span<const TensorType> inputs, const memory::dims& product) {
  const std::vector<uint32_t>& in = e.steps[s].inputs;
  const uint32_t before = chained(e, s);
  if (in.size() != 2 || (in[0] == before) == (in[1] == before) || !only_read_by(e, before, s)) return std::nullopt;
  const uint32_t operand = in[0] == before ? in[1] : in[0];
  const auto algorithm = algorithm_of(e.steps[s].op->id, in[0] == before);
  if (!algorithm || operand == 0 || operand >= e.operands) return std::nullopt;
  const size_t input = product_inputs(node.attrs) + operand - 1;
  memory::dims dims = placed(inputs[input], product);
  if (dims.empty()) return std::nullopt;
  return OnednnStep{*algorithm, input, std::move(dims)};
}

}  // namespace

std::vector<OnednnStep> onednn_steps(const Node& node, std::span<const TensorType> inputs, const memory::dims& product) {
  std::vector<OnednnStep> steps;
  if (!has_epilogue(node.attrs)) return steps;
  const Expression& e = node.attrs.expression("expression");
  while (steps.size() < e.steps.size()) {
    auto step = step_of(node, e, steps.size(), inputs, product);
    if (!step) break;
    steps.push_back(*std::move(step));
  }
  return steps;
}

EpilogueRest::EpilogueRest(const Node& node, size_t first_steps) {
  const Expression& whole = node.attrs.expression("expression");
  std::vector<uint32_t> values{chained(whole, first_steps)};  // of the whole, by their number here
  const auto steps = std::span(whole.steps).subspan(first_steps);
  for (const Expression::Step& step : steps)
    for (uint32_t v : step.inputs)
      if (v < whole.operands && std::ranges::find(values, v) == values.end()) {
        values.push_back(v);
        inputs_.push_back(product_inputs(node.attrs) + v - 1);
      }
  expression_.operands = static_cast<uint32_t>(values.size());
  for (const Expression::Step& step : steps) {
    expression_.steps.push_back(step);
    for (uint32_t& v : expression_.steps.back().inputs)
      if (v != Expression::kAbsent) v = static_cast<uint32_t>(std::ranges::find(values, v) - values.begin());
    values.push_back(whole.operands + static_cast<uint32_t>(first_steps + expression_.steps.size()) - 1);
  }
}

void EpilogueRest::apply(std::span<const Tensor> inputs, const Tensor& product, Tensor& result) const {
  std::array<Tensor, Expression::kMaxOperands> operands{product};
  for (size_t i = 0; i < inputs_.size(); ++i) operands[i + 1] = inputs[inputs_[i]];
  evaluate(expression_, {operands.data(), inputs_.size() + 1}, result);
}

}  // namespace dbk
