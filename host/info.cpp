// `daybreak info`: the plugin, the agreed ABI and every device with its rank and what was measured for it, limits,
// features and, where it cannot be used, the reason. Text for people, --json (daybreak.info/1) for programs; that has
// the plugin's ops as well.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <format>
#include <iostream>

#include "command.h"
#include "device_report.h"
#include "loader.h"
#include "report.h"
#include "terminal.h"
#include "units.h"
#include "warning.h"

namespace host {
namespace {

using daybreak::DeviceInfo;
using nlohmann::json;

std::string version_text(uint32_t abi) { return std::format("{}.{}", DBK_ABI_MAJOR(abi), DBK_ABI_MINOR(abi)); }

const char* sanitizer_name(uint32_t sanitizer) {
  if (sanitizer == DBK_SANITIZER_NONE) return "none";
  return sanitizer == DBK_SANITIZER_ADDRESS ? "address" : sanitizer == DBK_SANITIZER_THREAD ? "thread" : "unknown";
}

std::string uuid_text(const std::array<uint8_t, 16>& uuid) {
  std::string text;
  for (const uint8_t byte : uuid) text += std::format("{:02x}", byte);
  return text.find_first_not_of('0') == std::string::npos ? std::string() : text;
}

json plugin_json(const LoadedPlugin& loaded) {
  const dbk_info& info = loaded.plugin.info();
  return {{"path", loaded.path},
          {"id", info.id},
          {"version", info.version},
          {"build", info.build},
          {"sanitizer", sanitizer_name(info.sanitizer)}};
}

// The report's fields first, then the struct's: those are defined by the ABI and win.
json device_json(const DeviceInfo& device, json result) {
  result.update({{"index", device.index},
                 {"name", device.name},
                 {"kind", kind_name(device.kind)},
                 {"api", api_name(device.api)},
                 {"driver", device.driver},
                 {"vendor_id", device.vendor_id},
                 {"device_id", device.device_id},
                 {"uuid", uuid_text(device.uuid)},
                 {"score", device.score},
                 {"usable", device.usable()},
                 {"reason", device.unusable},
                 {"mem_total", device.mem_total},
                 {"mem_free", device.mem_free},
                 {"host_ptr_align", device.host_ptr_align},
                 {"subgroup_size", {device.subgroup_min, device.subgroup_max}}});
  result["limits"] = object_in(result, "limits");
  result["limits"]["max_buffer"] = device.max_buffer;
  result["limits"]["max_binding"] = device.max_binding;
  if (!result.contains("features")) result["features"] = feature_names(device.features);
  if (!result.contains("subgroup_matrix")) result["subgroup_matrix"] = json::array();
  return result;
}

json report_of(const daybreak::Context& ctx, const char* kind) {
  try {
    return parse_report(ctx.report(kind));
  } catch (const daybreak::Error&) {  // a plugin need not have it
    return json::object();
  }
}

void print_json(const LoadedPlugin& loaded, const DeviceReport& report, const json& ops, const json& options) {
  const dbk_info& info = loaded.plugin.info();
  const std::string missing = gpu_missing(report);
  json document = {{"schema", "daybreak.info/1"}, {"plugin", plugin_json(loaded)}, {"devices", json::array()}};
  document["abi"] = {{"agreed", version_text(loaded.plugin.api().abi)},
                     {"min", version_text(info.abi_min)},
                     {"max", version_text(info.abi_max)}};
  document["gpu"] = {{"available", missing.empty()}, {"reason", missing}};
  document["default"] = {{"index", nullptr}, {"reason", default_missing(report)}};
  if (const uint32_t index = default_device(report); index != DBK_NONE) document["default"]["index"] = index;
  document["opsets"] = array_in(ops, "opsets");
  document["ops"] = array_in(ops, "ops");
  document["options"] = array_in(options, "options");
  for (const DeviceInfo& device : report.devices) {
    document["devices"].push_back(device_json(device, detail_of(report, device.index)));
  }
  std::cout << document_text(document) << '\n';
}

std::string matrices_text(const json& details) {
  std::vector<std::string> words;
  for (const json& entry : array_in(details, "subgroup_matrix")) {
    if (!entry.is_object()) continue;
    words.push_back(std::format("{}x{}x{} {} -> {}", word_in(entry, "m"), word_in(entry, "n"), word_in(entry, "k"),
                                word_in(entry, "component"), word_in(entry, "result")));
  }
  return joined(words);
}

// "max_workgroup_size" is "workgroup size" in a list of limits.
std::string plain_name(std::string key) {
  if (key.starts_with("max_")) key.erase(0, 4);
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

// "round_trip_microseconds": 12.3 is "round trip 12.3 us"; a figure of what a device does not have is null.
std::string measured_text(const json& figures) {
  constexpr std::pair<std::string_view, const char*> units[] = {
      {"_microseconds", "us"}, {"_gigabytes_per_second", "GB/s"}, {"_gigaflops", "GFLOP/s"}};
  std::vector<std::string> words;
  for (const auto& [name, value] : figures.items())
    for (const auto& [ending, unit] : units) {
      if (!name.ends_with(ending)) continue;
      const std::string what = plain_name(name.substr(0, name.size() - ending.size()));
      if (value.is_number()) words.push_back(std::format("{} {:.1f} {}", what, value.get<double>(), unit));
      if (value.is_null()) words.push_back(what + " none");
    }
  return joined(words);
}

std::string limits_text(const DeviceInfo& device, const json& details) {
  std::vector<std::string> words{"buffer " + bytes_text(device.max_buffer), "tensor " + bytes_text(device.max_binding)};
  const json limits = object_in(details, "limits");
  for (const auto& [name, value] : limits.items()) {
    if (name != "max_buffer" && name != "max_binding") words.push_back(plain_name(name) + " " + value.dump());
  }
  return joined(words);
}

void print_row(const char* name, const std::string& text) {
  constexpr std::size_t indent = 13;
  if (text.empty()) return;
  std::cout << std::format("  {:<10} {}\n", name, wrapped(text, terminal_width(STDOUT_FILENO), indent));
}

void print_line(const char* name, const std::string& text) {
  constexpr std::size_t indent = 8;
  std::cout << std::format("{:<7} {}\n", name, wrapped(text, terminal_width(STDOUT_FILENO), indent));
}

void print_device(const DeviceInfo& device, const json& details, bool is_default) {
  std::cout << std::format("\ndevice {}: {}{}\n", device.index, device.name, is_default ? ", the default" : "");
  print_row("kind", device.api == DBK_API_NONE ? kind_name(device.kind)
                                               : std::format("{}, {}", kind_name(device.kind), api_name(device.api)));
  if (!device.usable()) print_row("unusable", device.unusable.empty() ? "no reason given" : device.unusable);
  print_row("score", std::to_string(device.score));
  if (details.value("rank", json()).is_number())
    print_row("rank", word_in(details, "rank") + ", " + word_in(details, "why"));
  print_row("measured", measured_text(object_in(details, "measured")));
  print_row("driver", device.driver);
  print_row("uuid", uuid_text(device.uuid));
  print_row("memory", std::format("{}, {} free", bytes_text(device.mem_total), bytes_text(device.mem_free)));
  print_row("limits", limits_text(device, details));
  const std::vector<std::string> named = feature_names(device.features);
  const json features = details.value("features", json(named));
  print_row("features", features.is_array() && features.empty() ? "none"
                        : features == json(named)               ? joined(named)
                                                                : features.dump());
  if (device.subgroup_max > 0)
    print_row("subgroups", std::format("{} to {} lanes", device.subgroup_min, device.subgroup_max));
  print_row("matrices", matrices_text(details));
}

// "35, ONNX opset 7 to 25"
std::string ops_text(const json& ops) {
  const json range = array_in(ops, "opsets");
  const std::string known = std::to_string(array_in(ops, "ops").size());
  return range.size() == 2 ? std::format("{}, ONNX opset {} to {}", known, range[0].dump(), range[1].dump()) : known;
}

void print_text(const LoadedPlugin& loaded, const DeviceReport& report, const json& ops) {
  const dbk_info& info = loaded.plugin.info();
  print_line("plugin", std::format("{} {} ({})", info.id, info.version, loaded.path));
  print_line("build", info.build);
  print_line("ABI", std::format("{} (the plugin speaks {} to {})", version_text(loaded.plugin.api().abi),
                                version_text(info.abi_min), version_text(info.abi_max)));
  if (!array_in(ops, "ops").empty()) print_line("ops", ops_text(ops));
  if (info.sanitizer != DBK_SANITIZER_NONE)
    print_line("checks", std::string(sanitizer_name(info.sanitizer)) + " sanitizer");
  if (const std::string missing = gpu_missing(report); !missing.empty()) print_line("GPU", "unavailable: " + missing);
  if (const std::string missing = default_missing(report); !missing.empty()) print_line("default", "none: " + missing);
  for (const DeviceInfo& device : report.devices)
    print_device(device, detail_of(report, device.index), device.index == default_device(report));
}

// Whoever looks at devices wants to know how fast they are; the environment may say otherwise.
daybreak::Options calibration_options() {
  if (std::getenv("DAYBREAK_CALIBRATION")) return {};
  return daybreak::Options().optional("calibration", "auto");
}

}  // namespace

void add_info(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand("info", "Shows the plugin, its ABI and the devices");
  command->fallthrough();
  auto json_wanted = std::make_shared<bool>(false), measure = std::make_shared<bool>(false);
  command->add_flag("--json", *json_wanted, "Print a JSON document, schema daybreak.info/1");
  command->add_flag("--measure", *measure, "Measure every device anew; else only devices of which nothing is known");
  command->callback([&line, json_wanted, measure] {
    line.chosen = [&line, json_wanted, measure] {
      const LoadedPlugin loaded = load_plugin(line.plugin);
      const daybreak::Context ctx(loaded.plugin, calibration_options(), {.name = "daybreak info", .log = printed_warnings()});
      if (*measure) report_of_devices(ctx, "calibration");
      const DeviceReport report = read_devices(ctx);
      const json ops = report_of(ctx, "ops");
      *json_wanted ? print_json(loaded, report, ops, report_of(ctx, "options")) : print_text(loaded, report, ops);
      return success;
    };
  });
}

}  // namespace host
