#include "ratios.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace bench {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

RatioReporter::RatioReporter() : ConsoleReporter(isatty(STDOUT_FILENO) ? OO_ColorTabular : OO_Tabular) {}

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    const std::string& name = run.run_name.function_name;
    const size_t slash = name.rfind('/');
    if (run.skipped || run.run_type != Run::RT_Iteration || slash == std::string::npos) continue;
    const double n = static_cast<double>(run.iterations);
    Timings& timings = timings_[name.substr(0, slash)][name.substr(slash + 1)];
    timings.real.push_back(run.real_accumulated_time / n);
    timings.cpu.push_back(run.cpu_accumulated_time / n);
  }
}

void RatioReporter::print_against(const std::string& what, const char* yardstick, const char* compared) const {
  const auto& sides = timings_.at(what);
  const auto base = sides.find(yardstick);
  if (base == sides.end()) return;
  for (const auto& [who, t] : sides)
    if (who.starts_with(compared))
      std::printf("%-12s %s is %6.2f times as fast as %s (by CPU time %6.2f)\n", what.c_str(), who.c_str(),
                  median(base->second.real) / median(t.real), yardstick, median(base->second.cpu) / median(t.cpu));
}

void RatioReporter::Finalize() {
  ConsoleReporter::Finalize();
  for (const auto& [what, sides] : timings_) {
    print_against(what, "naive", "gpu");
    print_against(what, "onednn", "cpu");
  }
}

}  // namespace bench
