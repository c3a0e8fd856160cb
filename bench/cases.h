// What is measured on every device of the plugin: products, row and element-wise ops, convolutions, attention, whole
// models, binding other extents, and what runs cost besides. One list; measured.h runs it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jobs.h"

namespace bench {

// Who else does the same on this machine, without the plugin.
struct Yardstick {
  const char* name;
  std::function<std::unique_ptr<Job>()> make;
};

struct Case {
  std::string name;  // KIND/SHAPE
  MakeJob make;
  std::vector<Yardstick> yardsticks = {};
  bool product = false;  // measured with each family of matrix products that GPUs have, too
};

std::vector<Case> all_cases();

// Networks whose first run is compared with those that follow.
std::vector<Case> first_run_cases();

}  // namespace bench
