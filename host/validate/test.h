// What a conformance test is. A test is a function that returns when the plugin did right, throws Failed or Skipped
// with the reason otherwise, and runs alone in a child process: it may crash, hang or exit. Each group is one file with
// one table of tests.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

namespace host::validate {

struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Target {
  std::string path;  // of the plugin, with a slash
};

struct Test {
  const char* name;  // group.what
  int timeout_seconds;
  void (*run)(const Target& target);
};

std::span<const Test> load_tests();
std::span<const Test> negotiation_tests();
std::span<const Test> argument_tests();
std::span<const Test> size_tests();
std::span<const Test> option_tests();
std::span<const Test> graph_tests();
std::span<const Test> golden_tests();
std::span<const Test> order_tests();
std::span<const Test> process_tests();
std::span<const Test> thread_tests();

// For tests of what happens at exit: says "passed so far" to the parent, which then still wants exit status 0 in time.
void pass_before_exit();

// Throws Failed unless the condition holds.
inline void expect(bool condition, const std::string& complaint) {
  if (!condition) throw Failed(complaint);
}

}  // namespace host::validate
