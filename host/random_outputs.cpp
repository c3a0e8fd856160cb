#include "random_outputs.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>

#include "tensors/numbers.h"

namespace host {
namespace {

constexpr const char* kDrawing[] = {"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Bernoulli", "Multinomial"};

double real(const onnx::NodeProto& node, const char* name, double otherwise) {
  for (const onnx::AttributeProto& attribute : node.attribute())
    if (attribute.name() == name) return static_cast<double>(attribute.f());
  return otherwise;
}

// The number in the graph's input behind operand i of a node, or `otherwise` where there is none.
double operand(const onnx::NodeProto& node, int i, const std::map<std::string, Tensor>& inputs, double otherwise) {
  const auto found = i < node.input_size() ? inputs.find(node.input(i)) : inputs.end();
  return found == inputs.end() || found->second.count() != 1 ? otherwise : numbers_of(found->second)[0];
}

template <class Allowed>
std::string first_fault(const std::vector<double>& got, Allowed allowed) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!allowed(i, got[i])) return std::format("element {} is {:.9g}, which no draw gives", i, got[i]);
  return {};
}

}  // namespace

RandomOutputs::RandomOutputs(const onnx::GraphProto& graph, const std::map<std::string, Tensor>& inputs) {
  for (const onnx::NodeProto& node : graph.node()) add(node, inputs);
}

void RandomOutputs::add(const onnx::NodeProto& node, const std::map<std::string, Tensor>& inputs) {
  const std::string& op = node.op_type();
  const bool training = op == "Dropout" && operand(node, 2, inputs, 0) != 0;
  const bool draws = training || std::ranges::find(kDrawing, op) != std::end(kDrawing);
  const bool after = std::ranges::any_of(node.input(), [&](const std::string& name) { return drawn_.contains(name); });
  if (!draws && !after) return;
  drawn_.insert(node.output().begin(), node.output().end());
  if (op.starts_with("RandomUniform")) ranges_[node.output(0)] = {real(node, "low", 0), real(node, "high", 1)};
  if (op.starts_with("RandomNormal"))
    ranges_[node.output(0)] = {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};
  const auto data = training ? inputs.find(node.input(0)) : inputs.end();
  if (data != inputs.end()) dropped_[node.output(0)] = {&data->second, 1 / (1 - operand(node, 1, inputs, 0.5))};
}

std::string RandomOutputs::fault(const std::string& output, const Tensor& got, const Tensor& expected) const {
  const std::vector<double> values = numbers_of(got);
  if (const auto range = ranges_.find(output); range != ranges_.end())
    return first_fault(values, [&](std::size_t, double x) { return x >= range->second.low && x <= range->second.high; });
  if (const auto dropped = dropped_.find(output); dropped != dropped_.end()) {
    const std::vector<double> data = numbers_of(*dropped->second.data);
    return first_fault(values, [&](std::size_t i, double x) {
      const double kept = data[i] * dropped->second.scale;
      return x == 0 || std::abs(x - kept) <= 1e-3 * std::abs(kept);
    });
  }
  const std::vector<double> known = numbers_of(expected);  // of few possible ones: choices, masks, classes
  return first_fault(values, [&](std::size_t, double x) { return std::ranges::find(known, x) != known.end(); });
}

}  // namespace host
