// What a device reached when it was measured (reports "device" and "calibration"): the yardstick of benchmarks.
#pragma once

#include "daybreak.hpp"

namespace bench {

struct Peak {
  double flops_per_second = 0, bytes_per_second = 0;  // 0: not measured
};

// By device. Measures all of them, unless calibration is off: what else the machine does now counts for both.
std::vector<Peak> measured_peaks(const daybreak::Context& context);

}  // namespace bench
