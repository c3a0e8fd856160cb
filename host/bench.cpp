// `daybreak bench`: how long a model takes to compile and to run, its memory and its dispatches. A run includes the
// upload of its inputs, where they changed or --force-upload asks for it, and the arrival of its outputs in host memory, unless
// --no-readback leaves them on the device.
#include <format>
#include <iostream>

#include "command.h"
#include "loader.h"
#include "placement.h"
#include "printable.h"
#include "report.h"
#include "session.h"
#include "timing.h"
#include "units.h"

namespace host {
namespace {

using nlohmann::json;

struct BenchOptions : ModelOptions {
  uint32_t repeat = 50;
  bool force_upload = false, no_readback = false;

  uint32_t mode() const { return (force_upload ? DBK_RUN_FORCE_UPLOAD : 0) | (no_readback ? DBK_RUN_NO_READBACK : 0); }
};

struct Figures {
  double import_ms, compile_ms, first_ms, median_ms, min_ms, p99_ms;
  uint64_t dispatches;  // of one run
  dbk_stats stats;
  std::string device;
};

Figures measure(Session& session, const BenchOptions& options) {
  Timing first, steady;
  const auto run_once = [&] {
    session.run_once(options.mode());
    if (!options.no_readback) session.read_late_outputs();
  };
  first.measure(0, run_once);
  if (!options.no_readback) session.bind_outputs();
  const uint64_t before = session.exec().stats().dispatches;
  steady.measure(options.repeat, run_once);  // the first of these, with outputs just bound, does not count
  const dbk_stats stats = session.exec().stats();
  return {session.import_seconds() * 1e3,
          session.compile_seconds() * 1e3,
          first.first() * 1e3,
          steady.median() * 1e3,
          steady.quantile(0) * 1e3,
          steady.quantile(0.99) * 1e3,
          (stats.dispatches - before) / (options.repeat + 1),
          stats,
          placement_device(parse_report(session.exec().report("placement")))};
}

void print_json(const BenchOptions& options, const Figures& figures) {
  const json document = {{"schema", "daybreak.bench/1"},
                         {"model", options.model},
                         {"device", figures.device},
                         {"repeat", options.repeat},
                         {"force_upload", options.force_upload},
                         {"no_readback", options.no_readback},
                         {"import_ms", figures.import_ms},
                         {"compile_ms", figures.compile_ms},
                         {"first_ms", figures.first_ms},
                         {"median_ms", figures.median_ms},
                         {"min_ms", figures.min_ms},
                         {"p99_ms", figures.p99_ms},
                         {"dispatches", figures.dispatches},
                         {"pipelines", figures.stats.pipelines_built},
                         {"memory",
                          {{"weight_bytes", figures.stats.weight_bytes},
                           {"activation_bytes", figures.stats.activation_bytes},
                           {"staging_bytes", figures.stats.staging_bytes}}}};
  std::cout << document_text(document) << '\n';
}

void print_text(const BenchOptions& options, const Session& session, const Figures& figures) {
  std::cout << std::format("model       {}\ndevice      {}\n", printable(options.model), figures.device);
  for (std::size_t i = 0; i < session.inputs().size(); ++i)
    std::cout << std::format("input       {} {}\n", in_quotes(session.model().inputs[i].name),
                             type_text(session.inputs()[i].dtype, session.inputs()[i].dims));
  const auto time = [](double ms) { return seconds_text(ms / 1e3); };
  std::cout << std::format("import      {}\ncompile     {}\nfirst run   {}\n", time(figures.import_ms),
                           time(figures.compile_ms), time(figures.first_ms));
  std::cout << std::format("{:<11} median {}, min {}, p99 {}\n", std::format("{} runs", options.repeat),
                           time(figures.median_ms), time(figures.min_ms), time(figures.p99_ms));
  const auto memory = [](uint64_t bytes) { return bytes == 0 ? "none" : bytes_text(bytes); };
  std::cout << std::format("memory      weights {}, activations {}, staging {}\n", memory(figures.stats.weight_bytes),
                           memory(figures.stats.activation_bytes), memory(figures.stats.staging_bytes));
  std::cout << std::format("dispatches  {} a run, {} pipelines built\n", figures.dispatches,
                           figures.stats.pipelines_built);
}

int bench(const std::string& plugin, const BenchOptions& options) {
  const LoadedPlugin loaded = load_plugin(plugin);
  const daybreak::Context ctx = open_context(loaded.plugin, options, "daybreak bench");
  Session session(ctx, options, "random");
  const Figures figures = measure(session, options);
  options.json ? print_json(options, figures) : print_text(options, session, figures);
  return success;
}

}  // namespace

void add_bench(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand("bench", "Measures a model; inputs that are not given are random");
  command->fallthrough();
  auto options = std::make_shared<BenchOptions>();
  command->add_option("MODEL", options->model, "An ONNX file")->required()->check(not_empty());
  add_input_option(*command, *options);
  add_dim_option(*command, *options);
  add_device_options(*command, *options);
  command->add_option("--repeat", options->repeat, "Runs that are measured")
      ->check(CLI::Range(1u, 1000000u))
      ->capture_default_str();
  command->add_flag("--force-upload", options->force_upload, "Send inputs in every run, also where they did not change");
  command->add_flag("--no-readback", options->no_readback, "Leave outputs on the device: what remains are kernels and submission");
  command->add_flag("--json", options->json, "Print a JSON document, schema daybreak.bench/1");
  command->callback([&line, options] { line.chosen = [&line, options] { return bench(line.plugin, *options); }; });
}

}  // namespace host
