// Runs a model and tells what came out; see model_run.h.
#include "model_run.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <format>
#include <iostream>

#include "error_place.h"
#include "file_error.h"
#include "placement.h"
#include "printable.h"
#include "report.h"
#include "session.h"
#include "tensors/npy.h"
#include "tensors/numbers.h"
#include "tensors/output_file.h"
#include "timing.h"
#include "units.h"

namespace host {
namespace {

using nlohmann::json;

struct Output {
  std::string name, file;  // file: empty where none is written
  Tensor tensor;
  NumberSummary numbers;
};

struct Outcome {
  std::vector<Output> outputs;
  Timing timing;
  json placement;
};

Outcome outcome_of(Session& session, uint32_t repeat) {
  Outcome result;
  result.timing.compile_seconds = session.compile_seconds();
  result.timing.measure(repeat, [&] { session.run_once(); });
  for (uint32_t i = 0; i < session.model().outputs.size(); ++i) {
    Output output{session.model().outputs[i], {}, session.output(i), {}};
    output.numbers = summarize(output.tensor);
    result.outputs.push_back(std::move(output));
  }
  result.placement = parse_report(session.report("placement"));
  return result;
}

// Before anything runs, so that no run is lost to a directory where nothing can be written.
void make_directory(const std::filesystem::path& directory) {
  std::error_code failure;
  if (std::filesystem::exists(directory, failure) && !std::filesystem::is_directory(directory, failure))
    throw daybreak::Error(DBK_INVALID_ARGUMENT, in_quotes(directory.string()) + " is a file, not a directory");
  std::filesystem::create_directories(directory, failure);
  if (failure) fail_file(directory, failure.value());
  if (access(directory.c_str(), W_OK | X_OK) != 0) fail_file(directory, errno);
}

void write_outputs(Outcome& outcome, const std::vector<std::string>& names, const std::filesystem::path& directory) {
  const std::vector<std::string> files = output_files(names);
  for (std::size_t i = 0; i < files.size(); ++i) {
    outcome.outputs[i].file = (directory / files[i]).string();
    write_npy(outcome.outputs[i].file, outcome.outputs[i].tensor);
  }
}

std::string summary_text(const Output& output) {
  const NumberSummary& numbers = output.numbers;
  std::string text = std::format("{} {}", in_quotes(output.name), type_text(output.tensor.dtype, output.tensor.dims));
  if (numbers.finite > 0)
    text += std::format("  min {:.6g}  max {:.6g}  mean {:.6g}", numbers.min, numbers.max, numbers.mean);
  else
    text += output.tensor.dims.product() == 0 ? "  empty" : "  nothing finite";
  if (numbers.nan > 0) text += std::format("  {} NaN", numbers.nan);
  if (numbers.infinite > 0) text += std::format("  {} infinite", numbers.infinite);
  return output.file.empty() ? text : text + "  -> " + printable(output.file);
}

void print_text(const Session& session, const ModelOptions& options, const Outcome& outcome) {
  std::cout << std::format("model       {}\n", printable(options.model));
  for (std::size_t i = 0; i < session.inputs().size(); ++i)
    std::cout << std::format("input       {} {}\n", in_quotes(session.model().inputs[i].name),
                             type_text(session.inputs()[i].dtype, session.inputs()[i].dims));
  for (const Output& output : outcome.outputs) std::cout << std::format("output      {}\n", summary_text(output));
  std::cout << std::format("device      {}\nplacement   {}\n", placement_device(outcome.placement),
                           placement_text(outcome.placement));
  std::cout << std::format("time        import {}, {}\n", seconds_text(session.import_seconds()),
                           outcome.timing.text());
}

json tensor_json(const std::string& name, const Tensor& tensor) {
  return {{"name", name},
          {"dtype", daybreak::dtype_name(tensor.dtype)},
          {"dims", std::vector<int64_t>(tensor.dims.begin(), tensor.dims.end())}};
}

void print_json(const Session& session, const ModelOptions& options, const Outcome& outcome) {
  json document = {{"schema", "daybreak.run/1"},
                   {"job", "model"},
                   {"model", options.model},
                   {"inputs", json::array()},
                   {"outputs", json::array()},
                   {"device", placement_device(outcome.placement)},
                   {"placement", outcome.placement},
                   {"seconds", outcome.timing.json()},
                   {"repeat", outcome.timing.run_seconds.size() - 1}};
  document["seconds"]["import"] = session.import_seconds();
  for (std::size_t i = 0; i < session.inputs().size(); ++i)
    document["inputs"].push_back(tensor_json(session.model().inputs[i].name, session.inputs()[i]));
  for (const Output& output : outcome.outputs) {
    json entry = tensor_json(output.name, output.tensor);
    const NumberSummary& numbers = output.numbers;
    const auto known = [&](double number) { return numbers.finite > 0 ? json(number) : json(); };
    entry.update({{"min", known(numbers.min)},
                  {"max", known(numbers.max)},
                  {"mean", known(numbers.mean)},
                  {"nan", numbers.nan},
                  {"infinite", numbers.infinite}});
    if (!output.file.empty()) entry["file"] = output.file;
    document["outputs"].push_back(std::move(entry));
  }
  std::cout << document_text(document) << '\n';
}

}  // namespace

void run_model(const daybreak::Context& ctx, const ModelOptions& options, uint32_t repeat,
               const std::string& directory) {
  if (!directory.empty()) in_place("--out", [&] { make_directory(directory); });
  Session session(ctx, options, "");
  Outcome outcome = outcome_of(session, repeat);
  if (!directory.empty()) write_outputs(outcome, session.model().outputs, directory);
  options.json ? print_json(session, options, outcome) : print_text(session, options, outcome);
}

}  // namespace host
