// The `daybreak` command: parses, calls the subcommand, reports failures on stderr. A client of abi/ alone.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <thread>
#include <utility>

#include "command.h"
#include "daybreak.hpp"
#include "model_options.h"
#include "printable.h"

namespace {

void print(const daybreak::Error& error) {
  std::cout.flush();  // what was said before comes before
  std::fprintf(stderr, "daybreak: error: %s: %s\n", daybreak::status_name(error.status()).c_str(),
               host::printable(error.message()).c_str());
  for (std::size_t i = 1; i < error.causes().size(); ++i) {
    std::fprintf(stderr, "daybreak: also: %s\n", host::printable(error.causes()[i].message).c_str());
  }
}

// Output that did not arrive (a full disk) is not success.
int flushed(int status) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.good()) return status;
  std::fprintf(stderr, "daybreak: error: standard output could not be written\n");
  return host::failure;
}

int run_command(host::CommandLine& line) {
  try {
    return flushed(line.chosen());
  } catch (const daybreak::Error& error) {
    print(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "daybreak: error: %s\n", error.what());
  }
  return host::failure;
}

// A file that is opened later must not get the number of a stream that is closed: output would go into it. What stands in for standard
// output cannot be written, so that the end tells.
void occupy_standard_streams() {
  for (const auto& [stream, mode] : {std::pair(STDIN_FILENO, O_RDONLY), std::pair(STDOUT_FILENO, O_RDONLY), std::pair(STDERR_FILENO, O_WRONLY)})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", mode);  // the lowest number is free, and it is this one
}

// OpenMP's threads wait for each other by spinning. On a machine with other work that keeps the one that is waited for from running, and a
// loop of microseconds takes milliseconds. Decided here, before the plugin is loaded and OpenMP with it; whoever sets the variable knows better.
void spin_only_on_quiet_machines() {
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load > std::thread::hardware_concurrency()) setenv("OMP_WAIT_POLICY", "passive", 0);
}

// "daybreak: error: --repeat: ...", and the way out; a wrong command is answered with those there are.
std::string usage_message(const CLI::App* app, const CLI::Error& error) {
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  std::string text = error.what(), command;
  for (const CLI::App* chosen : app->get_subcommands()) command = chosen->get_name() + " ";
  if (command.empty() && (kind == CLI::ExitCodes::ExtrasError || kind == CLI::ExitCodes::RequiredError)) {
    text += "; the commands are";
    for (const CLI::App* known : app->get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
      text += " " + known->get_name();
  }
  return "daybreak: error: " + text + "\nSee `daybreak " + command + "--help`.\n";
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  CLI::App app("Runs neural networks through the Daybreak plugin.", "daybreak");
  host::CommandLine line{app, {}, {}};
  app.add_option("--plugin", line.plugin, "The plugin's file; else DAYBREAK_PLUGIN, next to this program, the system")
      ->type_name("PATH")
      ->check(host::not_empty());
  app.set_version_flag("--version", "daybreak " DAYBREAK_VERSION);
  app.require_subcommand(0,
                         1);  // none is an error too, but one that must not hide the wrong word that was given instead
  app.failure_message(usage_message);
  host::add_info(line);
  host::add_check(line);
  host::add_run(line);
  host::add_bench(line);
  host::add_explain(line);
  host::add_tune(line);
  host::add_onnx_test(line);
  host::add_validate(line);
  try {
    app.parse(argc, argv);
    if (!line.chosen) throw CLI::RequiredError("a command");
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? flushed(host::success) : host::usage_error;
  }
  spin_only_on_quiet_machines();
  return run_command(line);
}
