// Compiles and runs the built-in demo, compares its result with the reference in double and tells where it ran and how
// long it took. See demo_run.h.
#include "demo_run.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <iostream>

#include "demo.h"
#include "placement.h"
#include "progress.h"
#include "report.h"
#include "timing.h"

namespace host {
namespace {

using nlohmann::json;

// Rounding of float32 through two products and a softmax stays below a tenth of this on every device measured.
constexpr double allowed_error = 1e-5;

struct Outcome {
  std::vector<float> y;
  double max_error = 0;
  Timing timing;
  json placement = json::object();

  bool right() const { return max_error <= allowed_error; }  // false for NaN
};

// NaN anywhere makes the result NaN.
double worst_error(const std::vector<float>& got, const std::vector<double>& want) {
  if (got.size() != want.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = std::abs(static_cast<double>(got[i]) - want[i]);
    if (!(error <= worst)) worst = error;
    if (std::isnan(worst)) return worst;
  }
  return worst;
}

daybreak::Executable compile(const daybreak::Context& ctx, const Demo& demo, const ModelOptions& options) {
  ProgressBar bar("compile");
  daybreak::Compile how;
  how.options = compile_options(options);
  how.progress = bar.callback();
  daybreak::GraphBuilder graph = demo.graph();
  daybreak::Executable exec = ctx.compile(graph, how);
  demo.set_params(exec);
  exec.ready(bar.callback());
  return exec;
}

Outcome outcome_of(const daybreak::Context& ctx, const ModelOptions& options, uint32_t repeat) {
  const Demo demo;
  Outcome outcome;
  const Stopwatch watch;
  const daybreak::Executable exec = compile(ctx, demo, options);
  outcome.timing.compile_seconds = watch.seconds();
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::view_of(demo.x, daybreak::Dims{Demo::tokens, Demo::width}), DBK_UNTIL_DESTROY);
  outcome.timing.measure(repeat, [&] { run.run(); });
  outcome.y = run.read<float>("y");
  outcome.max_error = worst_error(outcome.y, demo.reference());
  outcome.placement = parse_report(exec.report("placement"));
  return outcome;
}

struct Summary {
  double smallest, largest, mean;
  explicit Summary(const std::vector<float>& values) : mean(0) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    smallest = *low;
    largest = *high;
    for (const float value : values) mean += static_cast<double>(value) / static_cast<double>(values.size());
  }
};

void print_text(const Outcome& outcome) {
  const Summary y(outcome.y);
  std::cout << std::format("job         softmax(x + mlp(layernorm(x))), f32, {} tokens, {} wide, {} hidden\n",
                           Demo::tokens, Demo::width, Demo::hidden);
  std::cout << std::format("result      y f32[{}, {}]  min {:.4g}  max {:.4g}  mean {:.6g}\n", Demo::tokens,
                           Demo::width, y.smallest, y.largest, y.mean);
  std::cout << std::format("max error   {:.3g} against the reference in double (allowed {:.0e}): {}\n",
                           outcome.max_error, allowed_error, outcome.right() ? "right" : "WRONG");
  std::cout << std::format("device      {}\nplacement   {}\ntime        {}\n", placement_device(outcome.placement),
                           placement_text(outcome.placement), outcome.timing.text());
}

void print_json(const Outcome& outcome) {
  const Summary y(outcome.y);
  const json document = {{"schema", "daybreak.run/1"},
                         {"job", "demo"},
                         {"outputs",
                          {{{"name", "y"},
                            {"dtype", "f32"},
                            {"dims", {Demo::tokens, Demo::width}},
                            {"min", y.smallest},
                            {"max", y.largest},
                            {"mean", y.mean}}}},
                         {"max_error", outcome.max_error},
                         {"allowed_error", allowed_error},
                         {"right", outcome.right()},
                         {"device", placement_device(outcome.placement)},
                         {"placement", outcome.placement},
                         {"seconds", outcome.timing.json()},
                         {"repeat", outcome.timing.run_seconds.size() - 1}};
  std::cout << document_text(document) << '\n';
}

}  // namespace

void run_demo(const daybreak::Context& ctx, const ModelOptions& options, uint32_t repeat) {
  const Outcome outcome = outcome_of(ctx, options, repeat);
  options.json ? print_json(outcome) : print_text(outcome);
  if (outcome.right()) return;
  throw daybreak::Error(DBK_DATA_LOSS, std::format("the result is wrong: max error {:.3g}, allowed {:.0e}; `daybreak "
                                                   "run --device cpu` shows whether the device is to blame",
                                                   outcome.max_error, allowed_error));
}

}  // namespace host
