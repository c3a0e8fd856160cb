#include "ratios.h"

#include <cstdio>

namespace bench {

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    const std::string& name = run.run_name.function_name;
    const size_t slash = name.rfind('/');
    if (run.skipped || run.run_type != Run::RT_Iteration || slash == std::string::npos) continue;
    const double seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
    const auto [entry, fresh] = seconds_[name.substr(0, slash)].emplace(name.substr(slash + 1), seconds);
    if (!fresh && seconds < entry->second) entry->second = seconds;  // of several repetitions the fastest
  }
}

void RatioReporter::Finalize() {
  ConsoleReporter::Finalize();
  for (const auto& [what, times] : seconds_) {
    for (const char* yardstick : {"naive", "onednn"}) {
      const auto base = times.find(yardstick);
      if (base == times.end()) continue;
      for (const auto& [who, seconds] : times) {
        const bool compared = who.starts_with(yardstick == std::string("naive") ? "gpu" : "cpu");
        if (compared) std::printf("%-16s %s is %.2f times as fast as %s\n", what.c_str(), who.c_str(), base->second / seconds, yardstick);
      }
    }
  }
}

}  // namespace bench
