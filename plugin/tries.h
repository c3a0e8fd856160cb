// The kernels of a trial run once each, and one that does not give what the reference gives is not measured, however
// fast it is.
#pragma once

#include "plugin/agreement.h"
#include "plugin/device.h"

namespace dbk {

// A kernel that ran.
struct TriedKernel {
  std::string name;
  double microseconds = 0;        // of its first run
  std::vector<Numbers> results;   // until they are checked
  Sums sums;                      // that the results are
  std::function<double()> again;  // microseconds of one more run
};

struct Tries {
  std::vector<TriedKernel> right;
  size_t tried = 0;
  bool had_memory = true;  // else what failed may run another time; whatever else fails does so for good
};

// What trying takes of whoever measures.
struct TrySteps {
  // Nothing where the time is over once it is compiled. May throw Error.
  std::function<std::optional<TriedKernel>(const std::string& kernel)> run;
  std::function<bool(size_t tried)> goes_on;  // asked before each kernel
  const Log& log;
};

// Until the time is over; first what is taken without measurements, as the reference may take much longer. Throws where
// the reference fails, or nothing can be verified by what it gives.
Tries try_kernels(const Trial& trial, const std::vector<std::string>& kernels, const TrySteps& steps);

}  // namespace dbk
