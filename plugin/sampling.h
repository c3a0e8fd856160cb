// Times of several things that do the same, measured in turns, so that what else the machine does meets all alike.
#pragma once

#include <functional>
#include <vector>

namespace dbk {

struct Samples {
  std::vector<double> fastest;  // of each thing: whatever else the machine does only adds to a time
  int rounds = 0;               // that were finished
  bool enough = false;          // `spent` has not ended them
};

struct Rounds {
  int least;  // whatever `spent` says
  int most;
};

// `first`: a sample of each thing that there is already. `spent` is asked before each other one. Whatever takes much longer than the best is
// given up, but after some samples only: one or two bad ones of a short run are common. Rounds end as well where two of them made nothing faster
// by 2 %.
Samples sample(std::vector<double> first, const Rounds& rounds, const std::function<double(size_t thing)>& time, const std::function<bool()>& spent);

}  // namespace dbk
