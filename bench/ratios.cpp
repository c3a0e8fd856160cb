#include "ratios.h"

#include <unistd.h>

#include <cstdio>

namespace bench {

RatioReporter::RatioReporter() : ConsoleReporter(isatty(STDOUT_FILENO) ? OO_ColorTabular : OO_Tabular) {}

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    const std::string& name = run.run_name.function_name;
    const size_t slash = name.rfind('/');
    if (run.skipped || run.run_type != Run::RT_Iteration || slash == std::string::npos) continue;
    const double n = static_cast<double>(run.iterations);
    timings_.push_back(
        {name.substr(0, slash), name.substr(slash + 1), run.real_accumulated_time / n, run.cpu_accumulated_time / n});
  }
}

void RatioReporter::print_against(const Timing& yardstick, const char* compared) const {
  for (const Timing& t : timings_)
    if (t.what == yardstick.what && t.who.starts_with(compared))
      std::printf("%-12s %s is %6.2f times as fast as %s (by CPU time %6.2f)\n", t.what.c_str(), t.who.c_str(),
                  yardstick.real / t.real, yardstick.who.c_str(), yardstick.cpu / t.cpu);
}

void RatioReporter::Finalize() {
  ConsoleReporter::Finalize();
  for (const Timing& t : timings_) {
    if (t.who == "naive") print_against(t, "gpu");
    if (t.who == "onednn") print_against(t, "cpu");
  }
}

}  // namespace bench
