// What a run has to do, and what its device reached when it was measured: the yardstick of benchmarks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "daybreak.hpp"

namespace bench {

// What a device reached (reports "device" and "calibration"), per second; 0: not measured.
struct Peak {
  double flops = 0, bytes = 0;  // of a large product of f32; read and written by an element-wise kernel
  double uploaded = 0, read_back = 0;
  std::map<std::string, double> other_flops = {};  // of products in other arithmetic, by its name in report "cost"

  double flops_of(const std::string& arithmetic) const;  // that of f32 where the device has no other
};

// By device. Measures all of them, unless calibration is off: what else the machine does now counts for both.
std::vector<Peak> measured_peaks(const daybreak::Context& context);

struct Work {
  struct Step {
    double flops, bytes;
    std::string arithmetic = "f32";
  };
  std::vector<Step> steps;  // kernels, one after the other
  double uploaded = 0, read_back = 0;

  double flops() const;
  double bytes() const;  // of kernels and of transfers
  // At the peak of a device: each kernel takes the longer of its arithmetic and its memory. Not finite where it was not
  // measured.
  double seconds_at(const Peak& peak) const;
};

// The kernels of an executable, from its report "cost". Fused nodes count for what they were made of.
Work work_of(const daybreak::Executable& exec);

}  // namespace bench
