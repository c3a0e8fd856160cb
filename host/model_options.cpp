// Options of models; see model_options.h.
#include "model_options.h"

#include <charconv>

#include "printable.h"

namespace host {
namespace {

bool parse_extent(std::string_view text, int64_t& result) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), result);
  return failure == std::errc() && end == text.data() + text.size() && result >= 0;
}

bool parse_range(const std::string& text, DimRange& range) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return parse_extent(text, range.min) && parse_extent(text, range.max);
  return parse_extent(text.substr(0, colon), range.min) && parse_extent(text.substr(colon + 1), range.max) &&
         range.min <= range.max;
}

}  // namespace

void add_device_options(CLI::App& command, ModelOptions& options) {
  command.add_option("--device", options.device, "cpu, gpu, an index of `daybreak info` or a part of a name")
      ->type_name("D");
  command.add_option("--policy", options.policy, "What may run where")
      ->check(CLI::IsMember({"require_gpu", "prefer_gpu", "cpu_only"}));
  command.add_option("--precision", options.precision, "Arithmetic of f32 graphs, as the plugin knows it: f32")
      ->type_name("P");
  command.add_option("--fusion", options.fusion, "off: run the graph as the model has it")->check(CLI::IsMember({"on", "off"}));
  command.add_option("--host-ops", options.host_ops, "Operators that a GPU leaves to the host, e.g. Softmax,Gemm")->type_name("OPS");
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

daybreak::Options compile_options(const ModelOptions& options) {
  daybreak::Options result;
  if (!options.device.empty()) result.set("device", options.device);
  if (!options.policy.empty()) result.set("policy", options.policy);
  if (!options.precision.empty()) result.set("precision", options.precision);
  if (!options.fusion.empty()) result.set("fusion", options.fusion);
  if (!options.host_ops.empty()) result.set("host_ops", options.host_ops);
  return result;
}

std::map<std::string, DimRange> parse_dims(const std::vector<std::string>& words) {
  std::map<std::string, DimRange> result;
  for (const std::string& word : words) {
    const std::size_t equals = word.rfind('=');
    DimRange range;
    if (equals == std::string::npos || equals == 0 || !parse_range(word.substr(equals + 1), range))
      throw daybreak::Error(DBK_INVALID_ARGUMENT, "--dim " + printable(word) + ": write NAME=N or NAME=MIN:MAX");
    if (!result.emplace(word.substr(0, equals), range).second)
      throw daybreak::Error(DBK_ALREADY_EXISTS, "--dim " + printable(word) + ": the dimension is given twice");
  }
  return result;
}

}  // namespace host
