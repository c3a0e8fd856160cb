// The subcommands of `daybreak`. Each file adds its own to the command line and returns the exit status when called:
// 0 only when what was asked happened. Failures are exceptions; main prints them on stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace host {

constexpr int success = 0;
constexpr int failure = 1;
constexpr int usage_error = 2;
constexpr int undecided = 3;  // check: only what is bound tells

struct CommandLine {
  CLI::App& app;
  std::string plugin;           // --plugin, or empty
  std::function<int()> chosen;  // set by the subcommand that was named
};

void add_bench(CommandLine& line);
void add_check(CommandLine& line);
void add_explain(CommandLine& line);
void add_info(CommandLine& line);
void add_onnx_test(CommandLine& line);
void add_run(CommandLine& line);
void add_tune(CommandLine& line);
void add_validate(CommandLine& line);

}  // namespace host
