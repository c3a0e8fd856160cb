// Options of models; see model_options.h.
#include "model_options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <format>

#include "device_report.h"
#include "printable.h"
#include "warning.h"

namespace host {
namespace {

// Empty, or what is wrong with it.
std::string parse_extent(std::string_view text, int64_t& result) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (failure == std::errc::invalid_argument || end != text.data() + text.size()) return "write NAME=N or NAME=MIN:MAX";
  return failure == std::errc() && result >= 0 ? "" : std::format("{} is not between 0 and {}", text, INT64_MAX);
}

std::string parse_range(std::string_view text, DimRange& range) {
  const std::size_t colon = text.find(':');
  std::string wrong = parse_extent(text.substr(0, colon), range.min);
  if (colon == std::string_view::npos) range.max = range.min;
  else if (wrong.empty()) wrong = parse_extent(text.substr(colon + 1), range.max);
  return wrong;
}

// Who names the device: the option, the variable, or nobody (empty).
std::string device_named_by(const ModelOptions& options) {
  if (!options.device.empty()) return "--device " + printable(options.device);
  const char* variable = std::getenv("DAYBREAK_DEVICE");
  return variable && *variable ? "DAYBREAK_DEVICE=" + printable(variable) : std::string();
}

// A device that was asked for and is not there: whoever asked is to blame, no model.
void require_default_device(const DeviceReport& report, const ModelOptions& options) {
  const std::string missing = default_missing(report), named = device_named_by(options);
  if (!missing.empty()) throw daybreak::Error(DBK_NOT_FOUND, (named.empty() ? "the default device" : named) + ": " + missing);
}

void require_gpu_where_asked(const DeviceReport& report, const ModelOptions& options) {
  const auto usable_gpu = [](const daybreak::DeviceInfo& device) { return device.kind != DBK_DEVICE_CPU && device.usable(); };
  if (options.policy != "require_gpu" || std::ranges::any_of(report.devices, usable_gpu)) return;
  const std::string reason = gpu_missing(report);
  throw daybreak::Error(DBK_UNIMPLEMENTED, "--policy require_gpu: no GPU can be used" + (reason.empty() ? "" : ": " + reason));
}

// A device and a policy that exclude each other: neither is worth more.
void require_agreement(const DeviceReport& report, const ModelOptions& options) {
  const std::string named = device_named_by(options);
  if (named.empty()) return;
  for (const daybreak::DeviceInfo& device : report.devices) {
    const bool cpu = device.kind == DBK_DEVICE_CPU;
    if (device.index != default_device(report) || options.policy != (cpu ? "require_gpu" : "cpu_only")) continue;
    throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("--policy {} contradicts {}, which is {} '{}': leave one of them out",
                                                            options.policy, named, cpu ? "the CPU" : "the GPU", printable(device.name)));
  }
}

}  // namespace

CLI::Validator not_empty() {
  return {[](const std::string& text) { return text.empty() ? std::string("the value is empty") : std::string(); }, ""};
}

void add_device_options(CLI::App& command, ModelOptions& options) {
  command.add_option("--device", options.device, "cpu, gpu, an index of `daybreak info` or a part of a name")
      ->type_name("D")
      ->check(not_empty());
  command.add_option("--policy", options.policy, "What may run where")
      ->check(CLI::IsMember({"require_gpu", "prefer_gpu", "cpu_only"}));
  command.add_option("--precision", options.precision, "Arithmetic of f32 graphs, as the plugin knows it: f32, f16_f32acc, f16, auto")
      ->type_name("P")
      ->check(not_empty());
  command.add_option("--fusion", options.fusion, "off: run the graph as the model has it")->check(CLI::IsMember({"on", "off"}));
  command.add_option("--qkv", options.qkv, "Form of products that share an input, as the plugin knows it: auto, packed, split, plain")
      ->type_name("FORM")
      ->check(not_empty());
  command.add_option("--host-ops", options.host_ops, "Operators that a GPU leaves to the host, e.g. Softmax,Gemm")
      ->type_name("OPS")
      ->check(not_empty());
}

void add_dim_option(CLI::App& command, ModelOptions& options) {
  command.add_option("--dim", options.dims, "A dynamic dimension: its extent, or the range it may have")
      ->type_name("NAME=N|MIN:MAX")
      ->allow_extra_args(false);
}

void add_input_option(CLI::App& command, ModelOptions& options) {
  command.add_option("--input", options.inputs, "An input's value; VALUES are 1,2,3 or [[1,2],[3,4]]")
      ->type_name("NAME=FILE.npy|random|zeros|VALUES")
      ->allow_extra_args(false);
}

daybreak::Context open_context(const daybreak::Plugin& plugin, const ModelOptions& options, const std::string& name, daybreak::Options more) {
  if (!options.device.empty()) more.set("device", options.device);
  daybreak::Context ctx(plugin, more, {.name = name, .log = printed_warnings()});
  const DeviceReport report = read_devices(ctx);
  require_default_device(report, options);
  require_agreement(report, options);
  require_gpu_where_asked(report, options);
  return ctx;
}

daybreak::Options compile_options(const ModelOptions& options) {
  daybreak::Options result;
  if (!options.device.empty()) result.set("device", options.device);
  if (!options.policy.empty()) result.set("policy", options.policy);
  if (!options.precision.empty()) result.set("precision", options.precision);
  if (!options.qkv.empty()) result.set("qkv", options.qkv);
  if (!options.fusion.empty()) result.set("fusion", options.fusion);
  if (!options.host_ops.empty()) result.set("host_ops", options.host_ops);
  return result;
}

std::map<std::string, DimRange> parse_dims(const std::vector<std::string>& words) {
  std::map<std::string, DimRange> result;
  for (const std::string& word : words) {
    const std::size_t equals = word.rfind('=');
    DimRange range;
    const bool named = equals != std::string::npos && equals > 0;
    const std::string wrong = parse_range(named ? std::string_view(word).substr(equals + 1) : std::string_view(), range);
    if (!wrong.empty()) throw daybreak::Error(DBK_INVALID_ARGUMENT, "--dim " + printable(word) + ": " + wrong);
    if (range.min > range.max)
      throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("--dim {}: the minimum {} exceeds the maximum {}",
                                                              printable(word), range.min, range.max));
    if (!result.emplace(word.substr(0, equals), range).second)
      throw daybreak::Error(DBK_ALREADY_EXISTS, "--dim " + printable(word) + ": the dimension is given twice");
  }
  return result;
}

}  // namespace host
