// `daybreak explain`: what becomes of a model before it runs: the steps with their kernels, where each node went and
// why, what is left to the host, fusions, the memory plan. Nothing is allocated on the device, unless times are wanted.
#include <format>
#include <iostream>
#include <map>
#include <utility>

#include "assumed_extents.h"
#include "command.h"
#include "error_place.h"
#include "host_share.h"
#include "loader.h"
#include "placement.h"
#include "printable.h"
#include "report.h"
#include "session.h"
#include "units.h"

namespace host {
namespace {

using nlohmann::json;

struct ExplainOptions : ModelOptions {
  bool time = false;
};

struct Explanation {
  json placement, schedule, plan;
  HostShare share;
};

template <class Source>
Explanation explanation_of(const Source& source) {
  Explanation result{parse_report(source.report("placement")), parse_report(source.report("schedule")), parse_report(source.report("plan")), {}};
  result.share = host_share(result.placement);
  return result;
}

Explanation planned(const daybreak::Context& ctx, const ModelOptions& options) {
  ModelFile file(options.model);
  ImportedModel model = import_only(ctx, file, options);
  return in_place(file.name(), [&] {
    daybreak::Compile how;
    how.options = compile_options(options);
    how.mode = DBK_COMPILE_PLAN_ONLY;
    const daybreak::Executable exec = ctx.compile(model.graph, how);
    warn_of_precision(ctx, exec, options);
    return explanation_of(exec);
  });
}

// Everything is told of the runs that were measured: before, branches and shapes may be open.
Explanation measured(const daybreak::Context& ctx, const ModelOptions& options) {
  Session session(ctx, options, "random");
  const HostShare::Times times = measured_times(session);
  Explanation result = explanation_of(session);
  result.share.times = times;
  return result;
}

uint64_t bytes_in(const json& report, const char* key) {
  const json value = report.value(key, json());
  return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
}

std::string amount(const json& report, const char* key) {
  const uint64_t bytes = bytes_in(report, key);
  return bytes == 0 ? "0 B" : bytes_text(bytes);
}

// "tile, 64x64x16, 4x4 each": which of several kernels a step got.
std::string choice_text(const json& choice) {
  std::string text = word_in(choice, "family");
  if (const std::string tile = word_in(choice, "tile"); !tile.empty()) text += ", " + tile;
  return text.empty() ? "" : "  " + printable(text);
}

std::string reason_text(const std::string& reason) { return reason.empty() ? "" : "  because " + printable(reason); }

// The CPU as a device computes where the host does: with no node left to the host, the host's segments are the device's.
void print_steps(const Explanation& explanation) {
  std::map<std::string, json> nodes;  // by step: several may come from one node of the model
  for (const json& node : array_in(explanation.placement, "nodes"))
    if (const std::string step = word_in(node, "step"); !step.empty()) nodes[step] = node;
  std::size_t number = 0;
  for (const json& segment : array_in(explanation.schedule, "segments")) {
    const std::string on = word_in(segment, "on", "unknown place");
    std::cout << std::format("\nsegment {} on the {}\n", number++, on == "host" && !explanation.share.any() ? "CPU" : on);
    for (const json& step : array_in(segment, "steps")) {
      const json& node = nodes[word_in(step, "step")];
      const json choice = object_in(node, "choice");
      std::cout << std::format("  {:<48} {}{}{}\n", node_text(step), printable(word_in(step, "kernel")), choice_text(choice),
                               reason_text(word_in(choice.empty() ? node : choice, "reason")));
    }
  }
}

// Nodes of the model that are no steps: views, and what passes have fused, prepared or folded.
void print_absorbed(const json& placement) {
  bool first = true;
  for (const json& node : array_in(placement, "nodes")) {
    const std::string where = word_in(node, "where");
    if (where == "cpu" || where == "gpu" || where == "host" || where == "open") continue;
    std::cout << (std::exchange(first, false) ? "\nno steps of their own\n" : "");
    std::cout << std::format("  {:<48} {}{}\n", node_text(node), where, reason_text(word_in(node, "reason")));
  }
}

void print_fusions(const json& placement) {
  const auto nodes = [](const json& fusion) {
    std::vector<std::string> words;
    for (const json& node : array_in(fusion, "absorbed")) words.push_back(node.dump());
    return joined(words);
  };
  const json fusions = array_in(placement, "fusions"), missed = array_in(placement, "missed");
  std::cout << (fusions.empty() ? "" : "\nfusions\n");
  for (const json& fusion : fusions) {
    const std::string work = nodes(fusion);
    std::cout << std::format("  node {} ({}){}: {}\n", word_in(fusion, "node"), printable(word_in(fusion, "op")),
                             work.empty() ? "" : " does the work of " + work, word_in(fusion, "pass"));
  }
  std::cout << (missed.empty() ? "" : "\nfusions that did not come about\n");
  for (const json& miss : missed)
    std::cout << std::format("  node {}: {}: {}\n", word_in(miss, "node"), word_in(miss, "pass"),
                             printable(word_in(miss, "reason")));
}

// Products of one input: in which form, and why.
void print_projections(const json& placement) {
  bool first = true;
  for (const json& layer : array_in(placement, "projections")) {
    std::cout << (std::exchange(first, false) ? "\nproducts of one input (queries, keys, values)\n" : "");
    std::vector<std::string> nodes, times;
    for (const json& node : array_in(layer, "nodes")) nodes.push_back(node.dump());
    const json measured = object_in(layer, "measured_us");  // items() does not keep it
    for (const auto& [form, time] : measured.items()) times.push_back(std::format("{} {:.0f} us", form, time.is_number() ? time.get<double>() : 0.0));
    std::cout << std::format("  nodes {}, {} rows x {} by {}: {}{}{}\n", joined(nodes), word_in(layer, "rows"), word_in(layer, "k"), array_in(layer, "widths").dump(),
                             printable(word_in(layer, "form")), reason_text(word_in(layer, "reason")), times.empty() ? "" : " (measured: " + joined(times) + ")");
  }
}

void print_values(const json& plan) {
  std::cout << "\nmemory plan\n";
  for (const json& value : array_in(plan, "values")) {
    const json place = object_in(value, "place");
    std::cout << std::format("  {:<48} {}{}  {}  {} {} + {}{}\n", in_quotes(word_in(value, "name")),
                             word_in(value, "dtype"), array_in(value, "dims").dump(), amount(value, "bytes"),
                             word_in(place, "in"), word_in(place, "index"), word_in(place, "offset"),
                             place.value("borrowed", false) ? ", borrowed" : "");
  }
}

// Arenas against the largest live set, and what fills those that are much larger.
void print_packing(const json& plan) {
  for (const json& space : array_in(plan, "packing")) {
    std::cout << std::format("packing     {}: arenas {}, largest live set {}, ratio {:.2f}\n", word_in(space, "space"), amount(space, "arena_bytes"),
                             amount(space, "live_bytes"), space.value("ratio", 1.0));
    for (const json& arena : array_in(space, "forced_by")) {
      std::vector<std::string> names;
      for (const json& value : array_in(arena, "values"))
        names.push_back(std::format("{} {}", in_quotes(word_in(value, "name")), amount(value, "bytes")));
      std::cout << std::format("            arena {} of {} is filled by {}\n", word_in(arena, "arena"), amount(arena, "bytes"), joined(names));
    }
  }
}

// "12 on the device, 3 free, 40 fused"
std::string counts_text(const json& summary) {
  std::vector<std::string> words;
  for (const auto& [key, count] : summary.items()) {
    const char* before = key == "device" || key == "host" ? "on the " : "";
    if (count != 0) words.push_back(std::format("{} {}{}{}", count.dump(), before, key, key == "open" ? " until bind" : ""));
  }
  return joined(words);
}

void print_text(const Explanation& explanation, const ModelOptions& options) {
  const json& plan = explanation.plan;
  std::cout << std::format("model       {}\ndevice      {}\n", printable(options.model),
                           word_in(explanation.placement, "device", "unknown"));
  if (const std::string why = word_in(object_in(explanation.placement, "device_choice"), "reason"); !why.empty())
    std::cout << std::format("chosen      {}\n", printable(why));
  std::cout << std::format("nodes       {}: {}\n", array_in(explanation.placement, "nodes").size(),
                           counts_text(object_in(explanation.placement, "summary")));
  std::cout << std::format("host        {}\n", explanation.share.text());
  if (const std::string assumed = assumed_text(plan); !assumed.empty()) std::cout << std::format("extents     {}\n", assumed);
  std::cout << std::format("memory      weights {}, inputs {}, outputs {}, arenas {}, largest live set {}\n",
                           amount(plan, "weight_bytes"), amount(plan, "input_bytes"), amount(plan, "output_bytes"),
                           amount(plan, "arena_bytes"), amount(plan, "peak_live_bytes"));
  print_packing(plan);
  print_steps(explanation);
  print_absorbed(explanation.placement);
  print_projections(explanation.placement);
  print_fusions(explanation.placement);
  print_values(plan);
}

int explain(const std::string& plugin, const ExplainOptions& options) {
  const LoadedPlugin loaded = load_plugin(plugin);
  const daybreak::Context ctx = open_context(loaded.plugin, options, "daybreak explain");
  const Explanation explanation = options.time ? measured(ctx, options) : planned(ctx, options);
  if (!options.json) {
    print_text(explanation, options);
    return success;
  }
  std::cout << document_text({{"schema", "daybreak.explain/1"},
                              {"model", options.model},
                              {"host_share", explanation.share.json()},
                              {"placement", explanation.placement},
                              {"schedule", explanation.schedule},
                              {"plan", explanation.plan}})
            << '\n';
  return success;
}

}  // namespace

void add_explain(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand(
      "explain", "Where each node of a model goes and why: steps and kernels, the host's share, fusions, memory plan");
  command->fallthrough();
  auto options = std::make_shared<ExplainOptions>();
  command->add_option("MODEL", options->model, "An ONNX file")->required()->check(not_empty());
  add_dim_option(*command, *options);
  add_device_options(*command, *options);
  CLI::Option* time = command->add_flag("--time", options->time, "Runs it, too, and tells the host's share of the time; inputs that are not given are random");
  add_input_option(*command, *options);
  command->get_option("--input")->needs(time);
  command->add_flag("--json", options->json, "Print a JSON document, schema daybreak.explain/1");
  command->callback([&line, options] { line.chosen = [&line, options] { return explain(line.plugin, *options); }; });
}

}  // namespace host
