// Runs one backend test; see backend_case.h.
#include "backend_case.h"

#include <array>
#include <format>
#include <regex>
#include <string_view>

#include "error_place.h"
#include "onnx/tensor_data.h"
#include "onnx/value_type.h"
#include "printable.h"
#include "random_outputs.h"
#include "session.h"
#include "tensors/tensor_compare.h"

namespace host {
namespace {

namespace fs = std::filesystem;
using Verdict = CaseResult::Verdict;

// "node 3 'x' (Conv): ..." -> "Conv: ...": what cases of one kind have in common.
std::string without_names(std::string text) {
  static const std::regex node(R"(node \d+( '[^']*')? \(([^)]*)\))"), name("'[^']*'"), number(R"(\b\d+(\.\d+)?\b)");
  text = std::regex_replace(text.substr(0, 2000), node, "$2");
  return std::regex_replace(std::regex_replace(text, name, "'...'"), number, "N");
}

CaseResult skipped(const std::string& reason) { return {Verdict::skipped, reason, reason}; }
CaseResult failed(const std::string& reason) { return {Verdict::failed, reason, reason}; }

// What the ABI's run_bind and read do not take: said before the data is read, which is of another message then.
std::string unbindable(const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values) {
  for (const onnx::ValueInfoProto& value : values) {
    try {
      const ValueType type = read_type(value.type());
      if (type.kind == DBK_KIND_SEQUENCE) return "sequences as inputs or outputs";
      if (type.kind != DBK_KIND_TENSOR) return "optionals as inputs or outputs";
      if (type.dtype == DBK_STRING) return "strings as inputs or outputs";
    } catch (const daybreak::Error& error) {
      return error.message();
    }
  }
  return {};
}

// What is inside the graph besides tensors of numbers, or empty.
std::string unusual_values(ImportedModel& model) {
  const dbk_pool& values = model.graph.graph()->values;
  for (uint32_t i = 0; i < values.count; ++i) {
    const auto& value = static_cast<const dbk_value*>(values.ptr)[i];
    if (value.kind == DBK_KIND_SEQUENCE) return "sequences";
    if (value.kind != DBK_KIND_TENSOR) return "optionals";
    if (value.dtype == DBK_STRING) return "strings";
  }
  return {};
}

// Ops that are left out by decision; what else the plugin lacks fails a case.
std::string left_out(const onnx::GraphProto& graph) {
  constexpr std::array<std::array<std::string_view, 2>, 2> ops{
      {{"ImageDecoder", "ImageDecoder: files of images are for the host to decode"},
       {"Gradient", "Gradient: training is not offered"}}};
  for (const onnx::NodeProto& node : graph.node())
    for (const auto& [op, reason] : ops)
      if (node.op_type() == op) return std::string(reason);
  return {};
}

std::vector<Tensor> read_tensors(const fs::path& directory, const char* prefix) {
  std::vector<Tensor> result;
  for (fs::path path; fs::exists(path = directory / std::format("{}_{}.pb", prefix, result.size()));) {
    const onnx::TensorProto message = read_tensor_file(path);
    result.push_back(
        in_place(in_quotes(path.filename().string()), [&] { return copy_of(read_tensor(message, nullptr)); }));
  }
  return result;
}

// A data set, its inputs by the names of the graph's inputs. It has every output: what is not compared cannot pass.
struct DataSet {
  std::map<std::string, Tensor> inputs;
  std::vector<Tensor> outputs;

  DataSet(const fs::path& directory, const onnx::GraphProto& graph) : outputs(read_tensors(directory, "output")) {
    std::vector<Tensor> tensors = read_tensors(directory, "input");
    if (std::cmp_greater(tensors.size(), graph.input_size()))
      throw daybreak::Error(DBK_INVALID_ARGUMENT,
                            std::format("{} inputs, the model has {}", tensors.size(), graph.input_size()));
    for (std::size_t i = 0; i < tensors.size(); ++i)
      inputs.emplace(graph.input(static_cast<int>(i)).name(), std::move(tensors[i]));
    if (outputs.empty())
      throw daybreak::Error(DBK_NOT_FOUND, std::format("no expected output: {} has no output_0.pb",
                                                       in_quotes(directory.filename().string())));
    if (std::cmp_not_equal(outputs.size(), graph.output_size()))
      throw daybreak::Error(DBK_INVALID_ARGUMENT,
                            std::format("{} expected outputs, the model has {}", outputs.size(), graph.output_size()));
  }
};

CaseResult compare(daybreak::Run& run, const daybreak::Executable& exec, const onnx::GraphProto& graph, const DataSet& data) {
  const RandomOutputs random(graph, data.inputs);
  for (uint32_t i = 0; i < data.outputs.size(); ++i) {
    const Tensor got = read_output(run, exec, i);
    const std::string& name = graph.output(static_cast<int>(i)).name();
    std::string wrong = difference(got, data.outputs[i]);
    const bool another_type = wrong.starts_with("is ");
    if (!wrong.empty() && !another_type && random.has(name)) wrong = random.fault(name, got, data.outputs[i]);
    if (!wrong.empty())
      return {Verdict::failed, std::format("output {} {}", in_quotes(name), wrong),
              another_type ? "another type or shape than expected" : "other values than expected"};
  }
  return {};
}

CaseResult run_data_set(const daybreak::Context& ctx, ModelFile& file, const DataSet& data,
                        const daybreak::Options& options) {
  ImportOptions how;
  how.knows = ops_known(ctx);
  for (const auto& [name, tensor] : data.inputs) how.overridden.insert(name), how.shapes.emplace(name, tensor.dims);
  ImportedModel model = import_model(file, how);
  const std::string unusual = unusual_values(model);
  try {
    daybreak::Compile compile;
    compile.options = options;
    daybreak::Executable exec = ctx.compile(model.graph, compile);
    exec.ready();
    daybreak::Run run(exec);
    for (const ModelInput& input : model.inputs) {
      const auto tensor = data.inputs.find(input.name);
      if (tensor != data.inputs.end()) bind_input(run, input.name, tensor->second);
    }
    run.run();
    return compare(run, exec, file.model().graph(), data);
  } catch (const daybreak::Error& error) {
    if (error.status() == DBK_UNIMPLEMENTED && !unusual.empty()) return skipped(unusual + " inside the graph");
    throw;
  }
}

CaseResult run_files(const daybreak::Context& ctx, const fs::path& directory, const daybreak::Options& options) {
  if (!fs::exists(directory / "model.onnx")) return failed("no model.onnx");
  ModelFile file(directory / "model.onnx");
  const onnx::GraphProto& graph = file.model().graph();
  for (const auto* values : {&graph.input(), &graph.output()}) {
    const std::string what = unbindable(*values);
    if (!what.empty()) return skipped(what);
  }
  if (const std::string what = left_out(graph); !what.empty()) return skipped(what);
  int sets = 0;
  for (fs::path set; fs::exists(set = directory / std::format("test_data_set_{}", sets)); ++sets) {
    const CaseResult result = run_data_set(ctx, file, DataSet(set, graph), options);
    if (result.verdict != Verdict::passed) return result;
  }
  return sets == 0 ? failed("no test_data_set_0") : CaseResult{};
}

}  // namespace

CaseResult run_case(const daybreak::Context& ctx, const fs::path& directory, const daybreak::Options& options) {
  try {
    return run_files(ctx, directory, options);
  } catch (const daybreak::Error& error) {
    const std::string file = in_quotes((directory / "model.onnx").string()) + ": ";
    std::string text = error.message();
    if (text.starts_with(file)) text.erase(0, file.size());
    text = std::format("{}: {}", daybreak::status_name(error.status()), text);
    const std::size_t more = error.causes().size() - 1;
    return {Verdict::failed, more > 0 ? std::format("{} (and {} more)", text, more) : text, without_names(text)};
  } catch (const std::exception& error) {
    return {Verdict::failed, error.what(), without_names(error.what())};
  }
}

}  // namespace host
