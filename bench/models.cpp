#include "models.h"

#include <cstdlib>
#include <filesystem>
#include <format>
#include <nlohmann/json.hpp>
#include <set>

#include "model_inputs.h"

namespace bench {

namespace {

namespace fs = std::filesystem;

// As host/models/table.py has it.
fs::path cached_file(const char* id) {
  const char* set = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path base = set && *set == '/' ? fs::path(set) : fs::path(home ? home : "/") / ".cache";
  const fs::path file = base / "daybreak" / "models" / (std::string(id) + ".onnx");
  if (!fs::exists(file)) throw Skipped(std::format("{} is not there: `./dev models {}` fetches it", file.string(), id));
  return file;
}

host::ImportOptions import_options(const daybreak::Context& context, const ModelCase& model) {
  std::set<std::pair<std::string, std::string>> known;
  const auto report = nlohmann::json::parse(context.report("ops"));
  for (const auto& op : report.at("ops")) known.emplace(op.at("domain"), op.at("name"));
  host::ImportOptions options;
  options.knows = [known](const std::string& domain, const std::string& op) { return known.contains({domain, op}); };
  for (const auto& [dimension, extent] : model.extents) options.dims[dimension] = {extent, extent};
  return options;
}

host::InputSources random_sources(const host::ImportedModel& model) {
  host::InputSources sources;
  for (const host::ModelInput& input : model.inputs) sources[input.name] = {"random", {}};
  return sources;
}

// A run uploads nothing and reads nothing back, as those of graphs.
class ModelJob : public Job {
 public:
  ModelJob(const daybreak::Context& context, uint32_t device, const ModelCase& model,
           const host::ImportOptions& options)
      : file_(cached_file(model.id)), model_(host::import_model(file_, options)) {
    daybreak::Compile how;
    how.device = device;
    exec_ = context.compile(model_.graph, how);
    exec_.ready();
    run_ = daybreak::Run(exec_);
    inputs_ = host::make_inputs(model_, random_sources(model_), options.dims);
    for (size_t i = 0; i < inputs_.size(); ++i) run_.bind_input(model_.inputs[i].name, inputs_[i].view());
  }
  void run() override { run_.run({.mode = DBK_RUN_NO_READBACK}); }
  Work work() const override { return work_of(exec_); }

 private:
  // In this order: the executable borrows from the model and its file.
  host::ModelFile file_;
  host::ImportedModel model_;
  daybreak::Executable exec_;
  std::vector<host::Tensor> inputs_;
  daybreak::Run run_;
};

}  // namespace

std::unique_ptr<Job> model_job(const daybreak::Context& context, uint32_t device, const ModelCase& model) {
  return std::make_unique<ModelJob>(context, device, model, import_options(context, model));
}

}  // namespace bench
