// Times of several things that do the same, measured in turns, so that what else the machine does meets all alike.
#pragma once

#include <functional>
#include <vector>

namespace dbk {

struct Samples {
  std::vector<double> fastest;  // of each thing: whatever else the machine does only adds to a time
  int rounds = 0;               // that were begun
};

// At most `rounds`, at least one, whatever `spent` says. Whatever takes much longer than the best is given up, but after some rounds only: one or
// two bad samples of a short run are common.
Samples sample(size_t things, int rounds, const std::function<double(size_t thing)>& time, const std::function<bool()>& spent);

}  // namespace dbk
