// `daybreak validate PLUGIN.so`: ABI conformance of any plugin file. Every test runs in its own process with a timeout;
// one line each, PASS, FAIL or SKIP with the reason, then `N passed, N failed, N skipped`. Status 0: none failed.
#include <fnmatch.h>

#include <array>
#include <filesystem>
#include <format>
#include <iostream>
#include <vector>

#include "../command.h"
#include "../model_options.h"
#include "../report.h"
#include "child.h"
#include "daybreak_error.hpp"

namespace host {
namespace {

using namespace validate;
using nlohmann::json;

struct ValidateOptions {
  std::string path, filter = "*";
  int timeout_factor = 1;
  bool json = false;
};

struct Line {
  std::string name;
  Result result;
};

std::vector<const Test*> all_tests() {
  std::vector<const Test*> result;
  for (const auto group : {load_tests(), negotiation_tests(), argument_tests(), size_tests(), option_tests(),
                           graph_tests(), golden_tests(), order_tests(), process_tests(), thread_tests()}) {
    for (const Test& test : group) result.push_back(&test);
  }
  return result;
}

const char* word(Verdict verdict) {
  return verdict == Verdict::passed ? "PASS" : verdict == Verdict::failed ? "FAIL" : "SKIP";
}

void print(const Line& line) {
  const std::string reason = line.result.reason.empty() ? "" : ": " + line.result.reason;
  std::cout << std::format("{}  {}{}\n", word(line.result.verdict), line.name, reason) << std::flush;
}

// The plugin never prints: judged over all children together, so that noise does not hide what a test found.
Line silence(const std::vector<Line>& lines) {
  Line result{"process.silence", {Verdict::passed, {}, {}, 0}};
  for (const Line& line : lines) {
    if (line.result.noise.empty()) continue;
    result.result.verdict = Verdict::failed;
    result.result.reason += std::format("{}{} printed \"{}\"", result.result.reason.empty() ? "" : "; ", line.name,
                                        line.result.noise.substr(0, line.result.noise.find('\n')).substr(0, 120));
  }
  return result;
}

long count(const std::vector<Line>& lines, Verdict verdict) {
  return std::count_if(lines.begin(), lines.end(),
                       [verdict](const Line& line) { return line.result.verdict == verdict; });
}

void print_json(const std::string& path, const std::vector<Line>& lines) {
  json document = {{"schema", "daybreak.validate/1"}, {"plugin", path}, {"tests", json::array()}};
  for (const Line& line : lines) {
    document["tests"].push_back({{"name", line.name},
                                 {"verdict", word(line.result.verdict)},
                                 {"reason", line.result.reason},
                                 {"seconds", line.result.seconds}});
  }
  document["passed"] = count(lines, Verdict::passed);
  document["failed"] = count(lines, Verdict::failed);
  document["skipped"] = count(lines, Verdict::skipped);
  std::cout << document_text(document) << '\n';
}

int run_validate(const ValidateOptions& options) {
  if (!std::filesystem::exists(options.path))
    throw daybreak::Error(DBK_NOT_FOUND, "'" + options.path + "': no such file; name the plugin to examine");
  if (!std::filesystem::is_regular_file(options.path))
    throw daybreak::Error(DBK_INVALID_ARGUMENT, "'" + options.path + "' is not a file; name the plugin to examine");
  const Target target{std::filesystem::absolute(options.path).lexically_normal().string()};
  std::vector<Line> lines;
  bool loads = true;
  for (const Test* test : all_tests()) {
    if (fnmatch(options.filter.c_str(), test->name, FNM_EXTMATCH) != 0) continue;
    if (!loads) {  // nothing can be asked of such a file
      lines.push_back({test->name, {Verdict::skipped, "the file does not load", {}, 0}});
      continue;
    }
    lines.push_back({test->name, run_in_child(target, *test, options.timeout_factor)});
    if (!options.json) print(lines.back());
    loads = lines.back().name != "load.dlopen" || lines.back().result.verdict != Verdict::failed;
  }
  if (lines.empty()) throw daybreak::Error(DBK_NOT_FOUND, "-k " + options.filter + " matches no test; * matches all");
  lines.push_back(silence(lines));
  if (options.json) {
    print_json(target.path, lines);
  } else {
    if (!loads) std::cout << "SKIP  the others: the file does not load\n";
    print(lines.back());
    std::cout << std::format("{} passed, {} failed, {} skipped\n", count(lines, Verdict::passed),
                             count(lines, Verdict::failed), count(lines, Verdict::skipped));
  }
  return count(lines, Verdict::failed) == 0 ? success : failure;
}

int run_one(const std::string& path, const std::string& name, int result_fd) {
  for (const Test* test : all_tests()) {
    if (name == test->name) return run_as_child({path}, *test, result_fd);
  }
  throw daybreak::Error(DBK_NOT_FOUND, "no test is called '" + name + "'");
}

// The child's side; hidden from the help.
void add_validate_one(CommandLine& line) {
  CLI::App* command = line.app.add_subcommand("validate-one", "")->group("");
  auto arguments = std::make_shared<std::array<std::string, 2>>();
  auto result_fd = std::make_shared<int>(-1);
  command->add_option("PLUGIN", (*arguments)[0])->required();
  command->add_option("TEST", (*arguments)[1])->required();
  command->add_option("FD", *result_fd)->required();
  command->callback([&line, arguments, result_fd] {
    line.chosen = [arguments, result_fd] { return run_one((*arguments)[0], (*arguments)[1], *result_fd); };
  });
}

}  // namespace

void add_validate(CommandLine& line) {
  CLI::App* command =
      line.app.add_subcommand("validate", "Tests a plugin file for ABI conformance, each test in its own process");
  auto options = std::make_shared<ValidateOptions>();
  command->add_option("PLUGIN", options->path, "The file to examine")->required()->check(not_empty());
  command->add_option("-k", options->filter, "Only tests whose name matches")->type_name("GLOB")->capture_default_str();
  command
      ->add_option("--timeout-factor", options->timeout_factor,
                   "Multiplies every test's time limit: slow machines, sanitizers")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print a JSON document, schema daybreak.validate/1");
  command->callback([&line, options] { line.chosen = [options] { return run_validate(*options); }; });
  add_validate_one(line);
}

}  // namespace host
