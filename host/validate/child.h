// Runs one test in a child process: this program again, with a hidden subcommand. The child reports on a pipe of its
// own; what appears on its stdout or stderr was written by the plugin and is kept as noise.
#pragma once

#include <string>

#include "test.h"

namespace host::validate {

enum class Verdict { passed, failed, skipped };

struct Result {
  Verdict verdict = Verdict::failed;
  std::string reason;
  std::string noise;
  double seconds = 0;
};

Result run_in_child(const Target& target, const Test& test, int timeout_factor);

// The child's side; returns its exit status.
int run_as_child(const Target& target, const Test& test, int result_fd);

}  // namespace host::validate
