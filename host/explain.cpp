// `daybreak explain`: what becomes of a model before it runs: where each node goes and why, the order of steps, the
// memory. Nothing is allocated on the device.
#include <format>
#include <iostream>
#include <map>

#include "command.h"
#include "error_place.h"
#include "loader.h"
#include "printable.h"
#include "report.h"
#include "session.h"
#include "units.h"

namespace host {
namespace {

using nlohmann::json;

struct Explanation {
  json placement, schedule, plan;
};

Explanation explanation_of(const daybreak::Context& ctx, ImportedModel& model, const ModelOptions& options) {
  daybreak::Compile how;
  how.options = compile_options(options);
  how.mode = DBK_COMPILE_PLAN_ONLY;
  const daybreak::Executable exec = ctx.compile(model.graph, how);
  return {parse_report(exec.report("placement")), parse_report(exec.report("schedule")),
          parse_report(exec.report("plan"))};
}

uint64_t bytes_in(const json& report, const char* key) {
  const json value = report.value(key, json());
  return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
}

std::string amount(const json& report, const char* key) {
  const uint64_t bytes = bytes_in(report, key);
  return bytes == 0 ? "0 B" : bytes_text(bytes);
}

std::string node_text(const json& step) {
  return std::format("node {} {} ({})", word_in(step, "node"), in_quotes(word_in(step, "name")),
                     printable(word_in(step, "op")));
}

void print_steps(const Explanation& explanation) {
  std::map<std::string, std::string> reasons;  // by node
  for (const json& node : array_in(explanation.placement, "nodes"))
    reasons[word_in(node, "node")] = word_in(node, "reason");
  std::size_t number = 0;
  for (const json& segment : array_in(explanation.schedule, "segments")) {
    std::cout << std::format("\nsegment {} on the {}\n", number++, word_in(segment, "on", "unknown place"));
    for (const json& step : array_in(segment, "steps")) {
      const std::string reason = reasons[word_in(step, "node")];
      std::cout << std::format("  {:<48} {}{}\n", node_text(step), printable(word_in(step, "kernel")),
                               reason.empty() ? "" : "  because " + printable(reason));
    }
  }
}

void print_text(const Explanation& explanation, const ModelOptions& options) {
  const json summary = object_in(explanation.placement, "summary");
  const json& plan = explanation.plan;
  std::cout << std::format("model       {}\ndevice      {}\n", printable(options.model),
                           word_in(explanation.placement, "device", "unknown"));
  std::cout << std::format("nodes       {} on the device, {} on the host, {} free\n", word_in(summary, "device", "?"),
                           word_in(summary, "host", "?"), word_in(summary, "free", "?"));
  std::cout << std::format("memory      weights {}, inputs {}, outputs {}, arenas {}, largest live set {}{}\n",
                           amount(plan, "weight_bytes"), amount(plan, "input_bytes"), amount(plan, "output_bytes"),
                           amount(plan, "arena_bytes"), amount(plan, "peak_live_bytes"),
                           plan.value("exact", true) ? "" : " (extents that are not fixed: at their maximum)");
  print_steps(explanation);
}

int explain(const std::string& plugin, const ModelOptions& options) {
  ModelFile file(options.model);
  ImportedModel model = import_only(file, options);
  const LoadedPlugin loaded = load_plugin(plugin);
  const daybreak::Context ctx(loaded.plugin, {}, {.name = "daybreak explain"});
  const Explanation explanation = in_place(file.name(), [&] { return explanation_of(ctx, model, options); });
  if (!options.json) {
    print_text(explanation, options);
    return success;
  }
  std::cout << document_text({{"schema", "daybreak.explain/1"},
                              {"model", options.model},
                              {"placement", explanation.placement},
                              {"schedule", explanation.schedule},
                              {"plan", explanation.plan}})
            << '\n';
  return success;
}

}  // namespace

void add_explain(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand("explain", "Where each node of a model goes and why, steps and memory");
  command->fallthrough();
  auto options = std::make_shared<ModelOptions>();
  command->add_option("MODEL", options->model, "An ONNX file")->required();
  add_dim_option(*command, *options);
  add_device_options(*command, *options);
  command->add_flag("--json", options->json, "Print a JSON document, schema daybreak.explain/1");
  command->callback([&line, options] { line.chosen = [&line, options] { return explain(line.plugin, *options); }; });
}

}  // namespace host
