// A model from its file to a run with bound inputs, as run and bench need it.
#pragma once

#include <string>
#include <vector>

#include "daybreak.hpp"
#include "model_inputs.h"
#include "model_options.h"

namespace host {

class Session {
 public:
  // Imports, compiles, makes ready and binds; shows progress and prints warnings on stderr. `default_source` is what an
  // input without --input gets, empty: nothing. Errors name the file.
  Session(const daybreak::Context& ctx, const ModelOptions& options, const std::string& default_source);

  const std::string& model_name() const { return file_.name(); }
  const ImportedModel& model() const { return model_; }
  const std::vector<Tensor>& inputs() const { return inputs_; }
  const daybreak::Executable& exec() const { return exec_; }

  void run_once(uint32_t mode = 0);  // DBK_RUN_*; waits until done
  std::string report(std::string_view kind) const { return run_.report(kind); }  // of the run, whose shapes are all known
  Tensor output(uint32_t index);
  // Lets each run write its outputs to host memory, but for strings and those whose shape only a run tells; these, read_late_outputs reads
  // after one.
  void bind_outputs();
  void read_late_outputs();

  double import_seconds() const { return import_seconds_; }
  double compile_seconds() const { return compile_seconds_; }  // compile and ready together

 private:
  ImportedModel import(const daybreak::Context& ctx, const ModelOptions& options, const std::string& default_source);

  double import_seconds_ = 0, compile_seconds_ = 0;
  // In this order: the executable borrows from the model and its file, the run from inputs and outputs.
  ModelFile file_;
  InputSources sources_;
  ImportedModel model_;
  daybreak::Executable exec_;
  std::vector<Tensor> inputs_, outputs_;
  std::vector<uint32_t> late_outputs_;  // whose shape only a run tells
  daybreak::Run run_;
};

// Says on stderr where --precision has no effect because of the device.
void warn_of_precision(const daybreak::Context& ctx, const daybreak::Executable& exec, const ModelOptions& options);
// Compiles and makes ready, showing progress.
daybreak::Executable compile_ready(const daybreak::Context& ctx, ImportedModel& model, const ModelOptions& options);
// Imports with the dimensions of the options and prints warnings on stderr, for commands that bind nothing. `dims_of_others` as in
// ImportOptions.
ImportedModel import_only(const daybreak::Context& ctx, ModelFile& file, const ModelOptions& options, bool dims_of_others = false);
// Which ops the plugin has code for, as import asks it.
std::function<bool(const std::string&, const std::string&)> ops_known(const daybreak::Context& ctx);

// Binds a tensor that outlives the run; strings are copied.
void bind_input(daybreak::Run& run, const std::string& name, const Tensor& tensor);
// The whole output after a run.
Tensor read_output(daybreak::Run& run, const daybreak::Executable& exec, uint32_t index);

}  // namespace host
