// `daybreak run`: compiles and runs a job, judges the result and tells where it ran and how long it took.
// Until models can be imported the job is the built-in demo, whose result is compared with a reference in double.
#include <algorithm>
#include <cmath>
#include <format>
#include <iostream>

#include "command.h"
#include "daybreak.hpp"
#include "demo.h"
#include "loader.h"
#include "placement.h"
#include "progress.h"
#include "report.h"
#include "timing.h"

namespace host {
namespace {

using nlohmann::json;

// Rounding of float32 through two products and a softmax stays below a tenth of this on every device measured.
constexpr double allowed_error = 1e-5;

struct RunOptions {
  std::string model, device, policy;
  uint32_t repeat = 10;
  bool json = false;
};

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

daybreak::Compile compile_options(const RunOptions& options) {
  daybreak::Compile how;
  if (!options.device.empty()) how.options.set("device", options.device);
  if (!options.policy.empty()) how.options.set("policy", options.policy);
  return how;
}

daybreak::Executable compile(const daybreak::Context& ctx, const Demo& demo, const RunOptions& options) {
  ProgressBar bar("compile");
  daybreak::Compile how = compile_options(options);
  how.progress = bar.callback();
  daybreak::GraphBuilder graph = demo.graph();
  daybreak::Executable exec = ctx.compile(graph, how);
  demo.set_params(exec);
  exec.ready(bar.callback());
  return exec;
}

Outcome run_demo(const daybreak::Context& ctx, const RunOptions& options) {
  const Demo demo;
  Outcome outcome;
  const Stopwatch watch;
  const daybreak::Executable exec = compile(ctx, demo, options);
  outcome.timing.compile_seconds = watch.seconds();
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::view_of(demo.x, daybreak::Dims{Demo::tokens, Demo::width}), DBK_UNTIL_DESTROY);
  outcome.timing.measure(options.repeat, [&] { run.run(); });
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

int run(const std::string& plugin, const RunOptions& options) {
  if (!options.model.empty()) {
    throw daybreak::Error(
        DBK_UNIMPLEMENTED,
        "'" + options.model + "': importing models is not built yet; leave MODEL out to run the built-in demo");
  }
  const LoadedPlugin loaded = load_plugin(plugin);
  const daybreak::Context ctx(loaded.plugin, {}, {.name = "daybreak run"});
  const Outcome outcome = run_demo(ctx, options);
  options.json ? print_json(outcome) : print_text(outcome);
  if (outcome.right()) return success;
  throw daybreak::Error(DBK_DATA_LOSS, std::format("the result is wrong: max error {:.3g}, allowed {:.0e}; `daybreak "
                                                   "run --device cpu` shows whether the device is to blame",
                                                   outcome.max_error, allowed_error));
}

}  // namespace

void add_run(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand("run", "Runs the built-in demo and checks its result");
  command->fallthrough();
  auto options = std::make_shared<RunOptions>();
  command->add_option("MODEL", options->model, "Not built yet: leave it out");
  command->add_option("--device", options->device, "cpu, gpu, an index of `daybreak info` or a part of a name")
      ->type_name("D");
  command->add_option("--policy", options->policy, "What may run where")
      ->check(CLI::IsMember({"require_gpu", "prefer_gpu", "cpu_only"}));
  command->add_option("--repeat", options->repeat, "Runs after the first")
      ->check(CLI::Range(0u, 1000000u))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print a JSON document, schema daybreak.run/1");
  command->callback([&line, options] { line.chosen = [&line, options] { return run(line.plugin, *options); }; });
}

}  // namespace host
