// `daybreak run`: compiles and runs a job, judges the result and tells where it ran and how long it took.
// Until models can be imported the job is the built-in demo, whose result is compared with a reference in double.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <format>
#include <iostream>

#include "command.h"
#include "daybreak.hpp"
#include "demo.h"
#include "device_report.h"
#include "loader.h"
#include "progress.h"
#include "report.h"
#include "units.h"

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
  double compile_seconds = 0;       // compile, set_param and ready together
  std::vector<double> run_seconds;  // the first and the repeated ones
  json placement = json::object();

  bool right() const { return max_error <= allowed_error; }  // false for NaN
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double steady_median(const Outcome& outcome) {
  const auto& all = outcome.run_seconds;
  return all.size() > 1 ? median({all.begin() + 1, all.end()}) : all.front();
}

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
  const auto start = std::chrono::steady_clock::now();
  const daybreak::Executable exec = compile(ctx, demo, options);
  outcome.compile_seconds = seconds_since(start);
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::view_of(demo.x, daybreak::Dims{Demo::tokens, Demo::width}), DBK_UNTIL_DESTROY);
  ProgressBar bar("run");
  for (uint32_t i = 0; i <= options.repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run.run();
    outcome.run_seconds.push_back(seconds_since(begin));
    bar.show("repeating", i, options.repeat);
  }
  outcome.y = run.read<float>("y");
  outcome.max_error = worst_error(outcome.y, demo.reference());
  outcome.placement = parse_report(exec.report("placement"));
  return outcome;
}

std::string device_name(const Outcome& outcome) { return word_in(outcome.placement, "device", "unknown"); }

// "8 nodes: 7 gpu, 1 host", and a line for each node that left the device, with the reason.
std::string placement_text(const json& placement) {
  std::map<std::string, int> places;
  std::string strays;
  const json nodes = array_in(placement, "nodes");
  for (const json& node : nodes) {
    const std::string where = word_in(node, "where", "unknown");
    ++places[where];
    if (where != "host") continue;
    strays += std::format("\n            {} ({}) on the host: {}", word_in(node, "name"), word_in(node, "op"),
                          word_in(node, "reason", "no reason given"));
  }
  std::vector<std::string> words;
  for (const auto& [where, count] : places) words.push_back(std::format("{} {}", count, where));
  return std::format("{} nodes: {}{}", nodes.size(), joined(words), strays);
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
  std::cout << std::format("device      {}\nplacement   {}\n", device_name(outcome), placement_text(outcome.placement));
  std::cout << std::format("time        compile {}, first run {}, median of {} {}\n",
                           seconds_text(outcome.compile_seconds), seconds_text(outcome.run_seconds.front()),
                           std::max<std::size_t>(outcome.run_seconds.size() - 1, 1),
                           seconds_text(steady_median(outcome)));
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
                         {"device", device_name(outcome)},
                         {"placement", outcome.placement},
                         {"seconds",
                          {{"compile", outcome.compile_seconds},
                           {"first", outcome.run_seconds.front()},
                           {"median", steady_median(outcome)}}},
                         {"repeat", outcome.run_seconds.size() - 1}};
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
