// `daybreak onnx-test`: runs ONNX's backend test data. A line for each case that did not pass, the reasons counted, and
// the totals last. Exit status 0 only where cases ran and none failed.
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <iostream>
#include <map>

#include "backend_case.h"
#include "command.h"
#include "loader.h"
#include "model_options.h"
#include "printable.h"
#include "progress.h"

namespace host {
namespace {

namespace fs = std::filesystem;
using Verdict = CaseResult::Verdict;

struct TestOptions : ModelOptions {
  std::string directory, filter = "*";
};

std::vector<fs::path> cases(const TestOptions& options) {
  std::error_code failure;
  std::vector<fs::path> result;
  for (const fs::directory_entry& entry : fs::directory_iterator(options.directory, failure)) {
    if (!entry.is_directory()) continue;
    if (fnmatch(options.filter.c_str(), entry.path().filename().c_str(), FNM_EXTMATCH) == 0)
      result.push_back(entry.path());
  }
  if (failure)
    throw daybreak::Error(DBK_NOT_FOUND, std::format("{}: {}", in_quotes(options.directory), failure.message()));
  if (result.empty())
    throw daybreak::Error(DBK_NOT_FOUND, std::format("{}: no directory in it matches -k {}",
                                                     in_quotes(options.directory), printable(options.filter)));
  std::ranges::sort(result);
  return result;
}

class Tally {
 public:
  void add(const std::string& name, const CaseResult& result) {
    ++counts_[result.verdict];
    if (result.verdict == Verdict::passed) return;
    const bool failed = result.verdict == Verdict::failed;
    ++reasons_[{failed ? "FAIL" : "SKIP", result.reason}];
    std::cout << std::format("{}  {}: {}\n", failed ? "FAIL" : "SKIP", name, printable(result.detail)) << std::flush;
  }

  void print() {
    std::vector<std::pair<int, std::string>> rows;
    for (const auto& [key, count] : reasons_)
      rows.emplace_back(-count, std::format("{:>6}  {}  {}", count, key.first, printable(key.second)));
    std::ranges::sort(rows);
    std::cout << (rows.empty() ? "" : "\n");
    for (const auto& [order, text] : rows) std::cout << text << '\n';
    std::cout << std::format("{} passed, {} failed, {} skipped\n", counts_[Verdict::passed], counts_[Verdict::failed],
                             counts_[Verdict::skipped]);
  }

  bool clean() { return counts_[Verdict::failed] == 0; }

 private:
  std::map<Verdict, int> counts_;
  std::map<std::pair<std::string, std::string>, int> reasons_;
};

int onnx_test(const std::string& plugin, const TestOptions& options) {
  const std::vector<fs::path> directories = cases(options);
  const LoadedPlugin loaded = load_plugin(plugin);
  const daybreak::Context ctx(loaded.plugin, {}, {.name = "daybreak onnx-test"});
  const daybreak::Options how = compile_options(options);
  Tally tally;
  ProgressBar bar("onnx-test");
  for (std::size_t i = 0; i < directories.size(); ++i) {
    const std::string name = directories[i].filename().string();
    bar.show(name, i, directories.size());
    const CaseResult result = run_case(ctx, directories[i], how);
    if (result.verdict != Verdict::passed) bar.clear();
    tally.add(name, result);
  }
  bar.clear();
  tally.print();
  return tally.clean() ? success : failure;
}

}  // namespace

void add_onnx_test(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand("onnx-test", "Runs ONNX's backend test data");
  command->fallthrough();
  auto options = std::make_shared<TestOptions>();
  command->add_option("DIR", options->directory, "Directory with a directory per case")->required();
  add_device_options(*command, *options);
  command->add_option("-k", options->filter, "Only cases whose name matches")->type_name("GLOB")->capture_default_str();
  command->callback([&line, options] { line.chosen = [&line, options] { return onnx_test(line.plugin, *options); }; });
}

}  // namespace host
