// Import, compile, bind, run; see session.h.
#include "session.h"

#include <algorithm>
#include <cstdio>
#include <format>
#include <set>

#include "error_place.h"
#include "printable.h"
#include "progress.h"
#include "report.h"
#include "timing.h"
#include "warning.h"

namespace host {
namespace {

void print_warnings(const ImportedModel& model) {
  for (const std::string& warning : model.warnings) print_warning(warning);
}

// The last input that decides shapes is where all nodes get theirs and the run its memory: what a node refuses then, or what does not fit,
// is not that input's fault.
void bind_named(daybreak::Run& run, const std::string& name, const Tensor& tensor) {
  try {
    bind_input(run, name, tensor);
  } catch (const daybreak::Error& error) {
    std::vector<daybreak::Cause> causes = error.causes();
    for (daybreak::Cause& cause : causes)
      if (!cause.node && cause.status != DBK_OUT_OF_MEMORY) cause.message = "input " + in_quotes(name) + ": " + cause.message;
    throw daybreak::Error(error.status(), std::move(causes));
  }
}

}  // namespace

Session::Session(const daybreak::Context& ctx, const ModelOptions& options, const std::string& default_source)
    : file_(options.model) {
  model_ = import(ctx, options, default_source);
  in_place(file_.name(), [&] {
    const Stopwatch watch;
    exec_ = compile_ready(ctx, model_, options);
    compile_seconds_ = watch.seconds();
    run_ = daybreak::Run(exec_);
    for (std::size_t i = 0; i < inputs_.size(); ++i) bind_named(run_, model_.inputs[i].name, inputs_[i]);
    for (uint32_t i = 0; i < exec_.count(DBK_OUTPUT); ++i)
      if (!run_.shape(DBK_OUTPUT, i).exact) late_outputs_.push_back(i);
  });
}

ImportedModel Session::import(const daybreak::Context& ctx, const ModelOptions& options,
                              const std::string& default_source) {
  const Stopwatch watch;
  const onnx::GraphProto& graph = file_.model().graph();
  ImportOptions how;
  how.knows = ops_known(ctx);
  how.dims = parse_dims(options.dims);
  sources_ = read_sources(options.inputs, graph);
  apply_sources(sources_, graph, how);
  ImportedModel result = import_model(file_, how);
  print_warnings(result);
  if (!default_source.empty()) {
    for (const ModelInput& input : result.inputs) sources_.try_emplace(input.name, InputSource{default_source, {}});
  }
  inputs_ = in_place(file_.name(), [&] { return make_inputs(result, sources_, how.dims); });
  import_seconds_ = watch.seconds();
  return result;
}

void Session::run_once(uint32_t mode) {
  in_place(file_.name(), [&] { run_.run({.mode = mode}); });
}

Tensor Session::output(uint32_t index) {
  if (index < outputs_.size() && outputs_[index].dtype != DBK_DTYPE_NONE) return outputs_[index];
  return in_place(file_.name(), [&] { return read_output(run_, exec_, index); });
}

void Session::bind_outputs() {
  outputs_.resize(exec_.count(DBK_OUTPUT));
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    const daybreak::RunShape shape = run_.shape(DBK_OUTPUT, i);
    const uint32_t dtype = exec_.io(DBK_OUTPUT, i).dtype;
    if (std::ranges::find(late_outputs_, i) != late_outputs_.end() || dtype == DBK_STRING || dtype == DBK_DTYPE_NONE) continue;
    Tensor& output = outputs_[i];
    output = {dtype, shape.dims, std::vector<std::byte>(daybreak::dense_bytes(dtype, shape.dims)), {}};
    run_.bind_output(i, daybreak::MutableView(output.bytes, dtype, output.dims));
  }
}

void Session::read_late_outputs() {
  for (uint32_t i : late_outputs_)
    if (exec_.io(DBK_OUTPUT, i).dtype != DBK_STRING) output(i);
}

void warn_of_precision(const daybreak::Context& ctx, const daybreak::Executable& exec, const ModelOptions& options) {
  const bool asked = !options.precision.empty() && options.precision != "f32";
  if (asked && ctx.device(exec.device()).kind == DBK_DEVICE_CPU)
    print_warning(std::format("--precision {} has no effect: the device is the CPU, which computes products of f32 in f32", options.precision));
}

daybreak::Executable compile_ready(const daybreak::Context& ctx, ImportedModel& model, const ModelOptions& options) {
  ProgressBar bar("compile");
  daybreak::Compile how;
  how.options = compile_options(options);
  how.progress = bar.callback();
  daybreak::Executable exec = ctx.compile(model.graph, how);
  warn_of_precision(ctx, exec, options);
  exec.ready(bar.callback());
  return exec;
}

ImportedModel import_only(const daybreak::Context& ctx, ModelFile& file, const ModelOptions& options, bool dims_of_others) {
  ImportOptions how;
  how.knows = ops_known(ctx);
  how.dims = parse_dims(options.dims);
  how.dims_of_others = dims_of_others;
  ImportedModel result = import_model(file, how);
  print_warnings(result);
  return result;
}

std::function<bool(const std::string&, const std::string&)> ops_known(const daybreak::Context& ctx) {
  std::set<std::pair<std::string, std::string>> known;
  for (const nlohmann::json& op : array_in(parse_report(ctx.report("ops")), "ops"))
    known.emplace(word_in(op, "domain"), word_in(op, "name"));
  return [known](const std::string& domain, const std::string& op) { return known.contains({domain, op}); };
}

void bind_input(daybreak::Run& run, const std::string& name, const Tensor& tensor) {
  if (tensor.dtype != DBK_STRING) return run.bind_input(name, tensor.view(), DBK_UNTIL_DESTROY);
  std::vector<dbk_str> table;
  for (const std::string& text : tensor.strings) table.push_back({text.data(), text.size()});
  run.bind_input(name, {std::as_bytes(std::span<const dbk_str>(table)), DBK_STRING, tensor.dims}, DBK_COPY);
}

Tensor read_output(daybreak::Run& run, const daybreak::Executable& exec, uint32_t index) {
  const daybreak::RunShape shape = run.shape(DBK_OUTPUT, index);
  const daybreak::IoInfo info = exec.io(DBK_OUTPUT, index);
  if (!shape.exact || info.dtype == DBK_DTYPE_NONE)
    throw daybreak::Error(DBK_INTERNAL, "output " + in_quotes(info.name) + " has no type after the run");
  if (info.dtype == DBK_STRING)
    throw daybreak::Error(DBK_UNIMPLEMENTED, "output " + in_quotes(info.name) + " holds strings, which cannot be read");
  Tensor result{info.dtype, shape.dims, std::vector<std::byte>(daybreak::dense_bytes(info.dtype, shape.dims)), {}};
  run.read_bytes(index, result.bytes);
  return result;
}

}  // namespace host
