// The golden graph and the questions; see fixture.h.
#include "fixture.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <numbers>

namespace host::validate {

namespace golden {

const std::vector<float> weight{0.5f, -0.5f, 0.25f, 0.75f, -1, 1}, bias{0.5f, -1};

daybreak::GraphBuilder graph() {
  daybreak::GraphBuilder g(20);
  const auto rows = g.symbol("N", 1, 64);
  const auto product =
      g.node(daybreak::Op("MatMul").named("product"), {g.input<float>("x", {rows, 3}), g.param<float>("W", {3, 2})});
  const auto sum = g.node(daybreak::Op("Add").named("sum"), {product, g.param<float>("b", {2})});
  g.output(g.node(daybreak::Op("Gelu").named("gelu"), {sum}), "y");
  return g;
}

std::vector<float> input(int64_t rows) {
  std::vector<float> x(static_cast<std::size_t>(rows * 3));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17) * 0.25f - 2;
  return x;
}

std::vector<double> expected(const std::vector<float>& x) {
  std::vector<double> y;
  for (std::size_t i = 0; i < x.size() / 3 * 2; ++i) {
    const std::size_t row = i / 2, column = i % 2;
    double sum = bias[column];
    for (std::size_t k = 0; k < 3; ++k) sum += static_cast<double>(x[row * 3 + k]) * weight[k * 2 + column];
    y.push_back(0.5 * sum * (1 + std::erf(sum / std::numbers::sqrt2)));
  }
  return y;
}

void expect_right(const std::vector<float>& x, const std::vector<float>& y) {
  const std::vector<double> want = expected(x);
  expect(y.size() == want.size(), std::format("the result has {} elements instead of {}", y.size(), want.size()));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = std::abs(static_cast<double>(y[i]) - want[i]);
    expect(error <= 1e-5, std::format("element {} is {} instead of {:.7g}", i, y[i], want[i]));
  }
}

}  // namespace golden

void expect_status(std::initializer_list<dbk_status> wanted, const Answer& answer, const std::string& what) {
  if (std::find(wanted.begin(), wanted.end(), answer.status) != wanted.end()) return;
  std::string names;
  for (const dbk_status status : wanted) {
    const std::string name = daybreak::status_name(status);
    if (names.find(name) == std::string::npos) names += (names.empty() ? "" : " or ") + name;
  }
  throw Failed(std::format("{}: wanted {}, got {}", what, names,
                           answer.text.empty() ? daybreak::status_name(answer.status) : answer.text));
}

void expect_mentions(const Answer& answer, const std::string& word, const std::string& what) {
  expect(answer.text.find(word) != std::string::npos,
         std::format("{}: the text does not name '{}': {}", what, word, answer.text));
}

daybreak::Options cpu_only() { return daybreak::Options{}.optional("gpu", false); }

uint32_t cpu_device(const daybreak::Context& ctx) { return ctx.device_count() - 1; }

Fixture::Fixture(const Target& target)
    : plugin(daybreak::Plugin::load(target.path)),
      api(plugin.api()),
      ctx(plugin, cpu_only(), {.name = "daybreak validate"}) {}

daybreak::Executable Fixture::compile() const {
  daybreak::GraphBuilder graph = golden::graph();
  return ctx.compile(graph, {.device = cpu_device(ctx)});
}

daybreak::Executable Fixture::ready() const {
  daybreak::Executable exec = compile();
  exec.set_param("W", std::span(golden::weight));
  exec.set_param("b", std::span(golden::bias));
  exec.ready();
  return exec;
}

daybreak::Run Fixture::bound(const daybreak::Executable& exec, const std::vector<float>& x) const {
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::view_of(x, daybreak::Dims{static_cast<int64_t>(x.size() / 3), 3}));
  return run;
}

}  // namespace host::validate
