// `daybreak run`: runs a model, or without one the demo.
#include "command.h"
#include "demo_run.h"
#include "loader.h"
#include "model_run.h"

namespace host {
namespace {

struct RunOptions : ModelOptions {
  uint32_t repeat = 10;
  std::string out;
};

int run(const std::string& plugin, const RunOptions& options) {
  if (options.model.empty() && !(options.inputs.empty() && options.dims.empty() && options.out.empty()))
    throw daybreak::Error(DBK_INVALID_ARGUMENT, "--input, --dim and --out need a MODEL");
  const LoadedPlugin loaded = load_plugin(plugin);
  const daybreak::Context ctx = open_context(loaded.plugin, options, "daybreak run");
  if (options.model.empty())
    run_demo(ctx, options, options.repeat);
  else
    run_model(ctx, options, options.repeat, options.out);
  return success;
}

}  // namespace

void add_run(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand(
      "run", "Runs a model; without one, the demo: embeds sentences of standard input or its own");
  command->fallthrough();
  auto options = std::make_shared<RunOptions>();
  command->add_option("MODEL", options->model, "An ONNX file")->check(not_empty());
  add_input_option(*command, *options);
  add_dim_option(*command, *options);
  add_device_options(*command, *options);
  command->add_option("--repeat", options->repeat, "Runs after the first")
      ->check(CLI::Range(0u, 1000000u))
      ->capture_default_str();
  command->add_option("--out", options->out, "Write each output to DIR/NAME.npy")->type_name("DIR")->check(not_empty());
  command->add_flag("--json", options->json, "Print a JSON document, schema daybreak.run/1");
  command->callback([&line, options] { line.chosen = [&line, options] { return run(line.plugin, *options); }; });
}

}  // namespace host
