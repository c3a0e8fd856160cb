// `daybreak onnx-test`: runs ONNX's backend test data. A line for each case that did not pass, the reasons counted, and
// the totals last. Exit status 0 only where cases ran and none failed; with a list of cases that are known not to pass, only
// where exactly those did not, and with one of cases that need the host, only where exactly those did.
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>

#include "backend_case.h"
#include "command.h"
#include "error_place.h"
#include "known_cases.h"
#include "loader.h"
#include "model_options.h"
#include "printable.h"
#include "progress.h"

namespace host {
namespace {

namespace fs = std::filesystem;
using Verdict = CaseResult::Verdict;

struct TestOptions : ModelOptions {
  std::string directory, filter = "*", known, known_as, host_cases, shard = "1/1";
};

// Every n-th case, from the k-th on, for "k/n".
void keep_shard(std::vector<fs::path>& all, const std::string& text) {
  std::size_t k = 0, n = 0, end = 0;
  char slash = 0;
  std::istringstream words(text);
  if (!(words >> k >> slash >> n) || slash != '/' || k < 1 || k > n || words.peek() != EOF)
    throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("--shard {}: expected K/N with 1 <= K <= N", printable(text)));
  if (k > all.size())
    throw daybreak::Error(DBK_NOT_FOUND, std::format("--shard {}: nothing is left of {} cases", printable(text), all.size()));
  for (std::size_t i = k - 1; i < all.size(); i += n) all[end++] = all[i];
  all.resize(end);
}

// Single directories without a model fail as cases do; where none has one, the directory is a wrong one.
void require_models(const TestOptions& options, const std::vector<fs::path>& all) {
  if (std::ranges::any_of(all, [](const fs::path& each) { return fs::exists(each / "model.onnx"); })) return;
  const bool itself = fs::exists(fs::path(options.directory) / "model.onnx");
  throw daybreak::Error(DBK_NOT_FOUND, std::format("{}: no directory in it has a model.onnx; {}", in_quotes(options.directory),
                                                   itself ? "it is a case itself: give the directory above it, and -k with its name"
                                                          : "give the directory whose directories are the cases"));
}

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
  require_models(options, result);
  std::ranges::sort(result);
  keep_shard(result, options.shard);
  return result;
}

class Tally {
 public:
  Tally(const KnownCases* known, const KnownCases* host) : known_(known), host_(host) {}

  void add(const std::string& name, const CaseResult& result) {
    ++counts_[result.verdict];
    const bool passed = result.verdict == Verdict::passed;
    if (known_ && known_->lists(name) == passed) {
      ++unexpected_;
      std::cout << std::format("{}  {}\n", passed ? "PASSED THOUGH LISTED" : "NOT LISTED", name) << std::flush;
    }
    if (passed) return;
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
    std::cout << std::format("{} passed, {} failed, {} skipped{}\n", counts_[Verdict::passed], counts_[Verdict::failed], counts_[Verdict::skipped],
                             host_ ? std::format("; {} passed without the host", alone_) : "");
  }

  // Of a case that passed: whether the device did it alone.
  void add_place(const std::string& name, bool alone) {
    alone_ += alone;
    if (host_->lists(name) != alone) return;
    ++unexpected_;
    std::cout << std::format("{}  {}\n", alone ? "NEEDS NO HOST THOUGH LISTED" : "NEEDS THE HOST, NOT LISTED", name) << std::flush;
  }

  bool clean() { return unexpected_ == 0 && (known_ || counts_[Verdict::failed] == 0); }

 private:
  const KnownCases *known_, *host_;
  int unexpected_ = 0, alone_ = 0;
  std::map<Verdict, int> counts_;
  std::map<std::pair<std::string, std::string>, int> reasons_;
};

std::optional<KnownCases> read_list(const char* option, const std::string& file, const std::string& device) {
  std::optional<KnownCases> list;
  if (!file.empty()) in_place(option, [&] { list.emplace(file, device); });
  return list;
}

int onnx_test(const std::string& plugin, const TestOptions& options) {
  const std::vector<fs::path> directories = cases(options);
  const LoadedPlugin loaded = load_plugin(plugin);
  const daybreak::Context ctx = open_context(loaded.plugin, options, "daybreak onnx-test");
  const daybreak::Options how = compile_options(options);
  const std::optional<KnownCases> known = read_list("--known", options.known, options.known_as);
  const std::optional<KnownCases> host = read_list("--host-cases", options.host_cases, options.known_as);
  daybreak::Options strictly = how;
  strictly.set("policy", "require_gpu");
  Tally tally(known ? &*known : nullptr, host ? &*host : nullptr);
  ProgressBar bar("onnx-test");
  for (std::size_t i = 0; i < directories.size(); ++i) {
    const std::string name = directories[i].filename().string();
    bar.show(name, i, directories.size());
    CaseResult result = run_case(ctx, directories[i], host ? strictly : how);
    const bool alone = result.verdict == Verdict::passed;
    if (host && !alone) result = run_case(ctx, directories[i], how);
    if (result.verdict != Verdict::passed) bar.clear();
    tally.add(name, result);
    if (host && result.verdict == Verdict::passed) tally.add_place(name, alone);
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
  command->add_option("DIR", options->directory, "Directory with a directory per case")->required()->check(not_empty());
  add_device_options(*command, *options);
  command->add_option("-k", options->filter, "Only cases whose name matches")->type_name("GLOB")->check(not_empty())->capture_default_str();
  command->add_option("--known", options->known, "Cases known not to pass: exit status 0 where exactly those do not")->type_name("FILE")->check(not_empty());
  command->add_option("--host-cases", options->host_cases, "Cases that GPUs leave to the host in part: each case runs with policy require_gpu first, and exit status 0 needs that exactly these do not pass so")->type_name("FILE")->check(not_empty());
  command->add_option("--known-as", options->known_as, "Only entries of these lists for this device, and those for all")->type_name("WORD")->check(not_empty());
  command->add_option("--shard", options->shard, "Every N-th case, from the K-th on")->type_name("K/N")->capture_default_str();
  command->callback([&line, options] { line.chosen = [&line, options] { return onnx_test(line.plugin, *options); }; });
}

}  // namespace host
