// The demo graph, its weights and its reference; see demo.h. The reference shares nothing with the plugin: it follows
// ONNX's formulas of LayerNormalization, Gelu (erf) and Softmax.
#include "demo.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "random.h"

namespace host {
namespace {

constexpr double epsilon = 1e-5;  // LayerNormalization's default

std::vector<float> normals(Random& random, int64_t count, double mean, double deviation) {
  std::vector<float> result(static_cast<std::size_t>(count));
  for (float& value : result) value = static_cast<float>(mean + deviation * random.normal());
  return result;
}

double gelu(double value) { return 0.5 * value * (1 + std::erf(value / std::numbers::sqrt2)); }

void normalise(std::span<double> row, const std::vector<float>& scale, const std::vector<float>& shift) {
  double mean = 0, variance = 0;
  for (const double value : row) mean += value / static_cast<double>(row.size());
  for (const double value : row) variance += (value - mean) * (value - mean) / static_cast<double>(row.size());
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = (row[i] - mean) / std::sqrt(variance + epsilon) * scale[i] + shift[i];
}

std::vector<double> times(const std::vector<double>& row, const std::vector<float>& weights,
                          const std::vector<float>& bias) {
  std::vector<double> result(bias.begin(), bias.end());
  for (std::size_t k = 0; k < row.size(); ++k) {
    for (std::size_t n = 0; n < result.size(); ++n)
      result[n] += row[k] * static_cast<double>(weights[k * result.size() + n]);
  }
  return result;
}

void softmax(std::span<double> row) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (double& value : row) sum += value = std::exp(value - largest);
  for (double& value : row) value /= sum;
}

}  // namespace

Demo::Demo() {
  Random random(20260801);
  x = normals(random, tokens * width, 0, 1);
  scale = normals(random, width, 1, 0.1);
  shift = normals(random, width, 0, 0.1);
  w1 = normals(random, width * hidden, 0, 1 / std::sqrt(static_cast<double>(width)));
  b1 = normals(random, hidden, 0, 0.1);
  w2 = normals(random, hidden * width, 0, 1 / std::sqrt(static_cast<double>(hidden)));
  b2 = normals(random, width, 0, 0.1);
}

daybreak::GraphBuilder Demo::graph() const {
  using daybreak::Op;
  daybreak::GraphBuilder g(20);
  const auto in = g.input<float>("x", {tokens, width});
  const auto normal = g.node(Op("LayerNormalization").named("norm"),
                             {in, g.param<float>("norm.scale", {width}), g.param<float>("norm.shift", {width})},
                             {{"axis", -1}, {"epsilon", epsilon}});
  const auto up = g.node(Op("MatMul").named("up"), {normal, g.param<float>("up.weight", {width, hidden})});
  const auto up_bias = g.node(Op("Add").named("up_bias"), {up, g.param<float>("up.bias", {hidden})});
  const auto active = g.node(Op("Gelu").named("gelu"), {up_bias});
  const auto down = g.node(Op("MatMul").named("down"), {active, g.param<float>("down.weight", {hidden, width})});
  const auto down_bias = g.node(Op("Add").named("down_bias"), {down, g.param<float>("down.bias", {width})});
  const auto residual = g.node(Op("Add").named("residual"), {in, down_bias});
  g.output(g.node(Op("Softmax").named("softmax"), {residual}, {{"axis", -1}}), "y");
  return g;
}

void Demo::set_params(daybreak::Executable& exec) const {
  exec.set_param("norm.scale", std::span(scale));
  exec.set_param("norm.shift", std::span(shift));
  exec.set_param("up.weight", std::span(w1));
  exec.set_param("up.bias", std::span(b1));
  exec.set_param("down.weight", std::span(w2));
  exec.set_param("down.bias", std::span(b2));
}

std::vector<double> Demo::reference() const {
  std::vector<double> result;
  for (int64_t token = 0; token < tokens; ++token) {
    const std::vector<double> row(x.begin() + token * width, x.begin() + (token + 1) * width);
    std::vector<double> state = row;
    normalise(state, scale, shift);
    state = times(state, w1, b1);
    std::transform(state.begin(), state.end(), state.begin(), gelu);
    state = times(state, w2, b2);
    std::transform(state.begin(), state.end(), row.begin(), state.begin(), std::plus<>());
    softmax(state);
    result.insert(result.end(), state.begin(), state.end());
  }
  return result;
}

}  // namespace host
