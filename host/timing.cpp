// Measuring and its words; see timing.h.
#include "timing.h"

#include <algorithm>
#include <cmath>
#include <format>

#include "progress.h"
#include "units.h"

namespace host {

void Timing::measure(uint32_t repeat, const std::function<void()>& run) {
  ProgressBar bar("run");
  for (uint32_t i = 0; i <= repeat; ++i) {
    const Stopwatch watch;
    run();
    run_seconds.push_back(watch.seconds());
    bar.show("repeating", i, repeat);
  }
}

double Timing::quantile(double part) const {
  if (run_seconds.size() == 1) return first();
  std::vector<double> repeated(run_seconds.begin() + 1, run_seconds.end());
  const auto rank = static_cast<std::ptrdiff_t>(std::ceil(part * static_cast<double>(repeated.size())));
  const auto at = repeated.begin() + std::max<std::ptrdiff_t>(rank - 1, 0);
  std::nth_element(repeated.begin(), at, repeated.end());
  return *at;
}

std::string Timing::text() const {
  return std::format("compile {}, first run {}, median of {} {}", seconds_text(compile_seconds), seconds_text(first()),
                     std::max<std::size_t>(run_seconds.size() - 1, 1), seconds_text(median()));
}

nlohmann::json Timing::json() const { return {{"compile", compile_seconds}, {"first", first()}, {"median", median()}}; }

}  // namespace host
