// `daybreak check`: which nodes of a model each device can run, and why not the others. Exit status 0 only where every
// device that was asked can run the whole model, on the device or with host islands; 3 where only binding tells.
#include <format>
#include <iostream>

#include "command.h"
#include "error_place.h"
#include "loader.h"
#include "placement.h"
#include "printable.h"
#include "report.h"
#include "session.h"
#include "units.h"
#include "warning.h"

namespace host {
namespace {

using nlohmann::json;

struct CheckOptions : ModelOptions {
  bool all = false;
};

// The plugin's verdicts for one device, or why it gave none.
struct DeviceVerdicts {
  std::string name;
  json report;
  bool runs() const { return report.value("runs", false); }
  // Compiles, but what is bound may be refused yet.
  bool undecided() const { return runs() && !array_in(report, "undecided").empty(); }
  const char* word() const { return undecided() ? "BINDING DECIDES" : runs() ? "runs" : "DOES NOT RUN"; }
};

// Asked of all devices, a policy chooses among them.
bool policy_excludes(const std::string& policy, const daybreak::DeviceInfo& device) {
  const bool cpu = device.kind == DBK_DEVICE_CPU;
  return (policy == "require_gpu" && cpu) || (policy == "cpu_only" && !cpu);
}

std::vector<DeviceVerdicts> verdicts(const daybreak::Context& ctx, ImportedModel& model, const CheckOptions& options) {
  std::vector<DeviceVerdicts> result;
  const auto ask = [&](uint32_t device) {
    daybreak::Compile how;
    how.options = compile_options(options);
    how.device = device;
    const json report = parse_report(ctx.check(model.graph, how));
    result.push_back({word_in(report, "device", "unknown"), report});
  };
  if (!options.device.empty()) {
    ask(DBK_DEVICE_DEFAULT);
    return result;
  }
  for (const daybreak::DeviceInfo& device : ctx.devices()) {
    if (policy_excludes(options.policy, device)) continue;
    if (device.usable())
      ask(device.index);
    else
      std::cerr << std::format("daybreak: warning: device {} is left out: {}\n", device.name, device.unusable);
  }
  if (result.empty()) ask(DBK_DEVICE_DEFAULT);  // to hear why none will do
  return result;
}

std::string tally(const json& report) {
  std::map<std::string, int> counts;
  for (const json& node : array_in(report, "nodes")) ++counts[word_in(node, "verdict", "unknown")];
  std::vector<std::string> words;
  constexpr std::pair<const char*, const char*> names[] = {
      {"device", "on the device"}, {"view", "free"}, {"host", "on the host"}, {"open", "open until bind"}, {"no", "not at all"}};
  for (const auto& [verdict, name] : names) {
    if (counts[verdict] > 0) words.push_back(std::format("{} {}", counts[verdict], name));
  }
  return joined(words);
}

std::string op_of(const json& node) {
  const std::string domain = word_in(node, "domain");
  return printable((domain.empty() ? "" : domain + ".") + word_in(node, "op"));
}

// "12 LSTM, 3 Pad": what would have to be there.
std::string missing_ops(const json& report) {
  std::map<std::string, int> counts;
  for (const json& node : array_in(report, "nodes")) {
    if (word_in(node, "verdict") == "no") ++counts[op_of(node)];
  }
  std::vector<std::string> words;
  for (const auto& [op, count] : counts) words.push_back(std::format("{} {}", count, op));
  return joined(words);
}

void print_reasons(const json& report, const char* list, const char* word) {
  for (const json& reason : array_in(report, list))
    std::cout << std::format("  {:<6} {}\n", word, printable(reason.is_string() ? reason.get<std::string>() : "unknown"));
}

// The reasons name every node that cannot run, those in bodies too.
void print_device(const DeviceVerdicts& device, bool all) {
  const json nodes = array_in(device.report, "nodes");
  std::cout << std::format("{}: {}: {}: {}\n", device.name, device.word(), node_count(nodes.size()), tally(device.report));
  for (const json& node : nodes) {
    const std::string verdict = word_in(node, "verdict", "unknown"), reason = word_in(node, "reason");
    if (verdict == "no" || (!all && (verdict == "device" || verdict == "view" || verdict == "open"))) continue;
    std::cout << std::format("  {:<6} {}{}\n", verdict, node_text(node), reason.empty() ? "" : ": " + printable(reason));
  }
  print_reasons(device.report, "reasons", "no");
  print_reasons(device.report, "undecided", "bind");
  const std::string missing = missing_ops(device.report);
  if (!missing.empty()) std::cout << std::format("  not at all: {}\n", missing);
}

void print_json(const std::vector<DeviceVerdicts>& devices, const CheckOptions& options) {
  json document = {
      {"schema", "daybreak.check/1"}, {"model", options.model}, {"runs", true}, {"undecided", false}, {"devices", json::array()}};
  for (const DeviceVerdicts& device : devices) {
    document["runs"] = document["runs"] && device.runs();
    document["undecided"] = document["undecided"] || device.undecided();
    json entry = device.report;
    entry.erase("schema");
    document["devices"].push_back(std::move(entry));
  }
  std::cout << document_text(document) << '\n';
}

int status_of(const std::vector<DeviceVerdicts>& devices, const std::string& model) {
  int status = success;
  for (const DeviceVerdicts& device : devices) {
    if (!device.runs())
      throw daybreak::Error(DBK_UNIMPLEMENTED, std::format("{}: {} does not run it, for the reasons above", model, device.name));
    if (!device.undecided()) continue;
    std::cout.flush();
    std::cerr << std::format("daybreak: {}: {}: binding decides whether it runs; --dim tells more\n", model, device.name);
    status = undecided;
  }
  return status;
}

int check(const std::string& plugin, const CheckOptions& options) {
  ModelFile file(options.model);
  const LoadedPlugin loaded = load_plugin(plugin);
  // Without --device all are asked, and none need be the default.
  const daybreak::Context ctx = options.device.empty() ? daybreak::Context(loaded.plugin, {}, {.name = "daybreak check", .log = printed_warnings()})
                                                       : open_context(loaded.plugin, options, "daybreak check");
  ImportedModel model = import_only(ctx, file, options);
  const std::vector<DeviceVerdicts> devices = in_place(file.name(), [&] { return verdicts(ctx, model, options); });
  if (options.json) print_json(devices, options);
  for (const DeviceVerdicts& device : devices) {
    if (!options.json) print_device(device, options.all);
  }
  return status_of(devices, file.name());
}

}  // namespace

void add_check(CommandLine& line) {
  CLI::App* command =
      line.app.add_subcommand("check", "Which nodes of a model each device (or only --device) can run, with reasons");
  command->fallthrough();
  auto options = std::make_shared<CheckOptions>();
  command->add_option("MODEL", options->model, "An ONNX file")->required()->check(not_empty());
  add_dim_option(*command, *options);
  add_device_options(*command, *options);
  command->add_flag("--all", options->all, "List the nodes without objections too");
  command->add_flag("--json", options->json, "Print a JSON document, schema daybreak.check/1");
  command->callback([&line, options] { line.chosen = [&line, options] { return check(line.plugin, *options); }; });
}

}  // namespace host
