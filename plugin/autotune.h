// Measures kernels for nodes that only a measurement decides between (Program::trials): each runs alone, in a graph of its own, and must
// give what the reference gives before its time counts. What is found out goes to the device.
#pragma once

#include <algorithm>

#include "plugin/context.h"

namespace dbk {

struct TuneEffort {
  Tried wanted = Tried::Likely;  // of each trial
  uint64_t budget_nanoseconds = 0;

  // What is left of it.
  TuneEffort after(uint64_t nanoseconds) const { return {wanted, budget_nanoseconds - std::min(nanoseconds, budget_nanoseconds)}; }
};

// Of option autotune: nullopt where nothing is to be measured.
std::optional<TuneEffort> tune_effort(const Options& options);

// On the caller's thread. Throws what `progress` throws; a kernel that fails is left out, and what the budget leaves unmeasured is said in
// the log. Returns whether anything was measured.
bool autotune(Context& context, uint32_t device, const std::vector<Trial>& trials, const TuneEffort& effort, const Progress& progress);

}  // namespace dbk
