// Measuring and its words; see timing.h.
#include "timing.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <format>
#include <mutex>
#include <thread>

#include "progress.h"
#include "units.h"

namespace host {

namespace {

// Shows how many runs are done and how long it took, also while one takes long.
class RunProgress {
 public:
  explicit RunProgress(uint32_t repeat) : repeat_(repeat), ticking_([this](std::stop_token stop) { tick(stop); }) {}

  void one_done() {
    const std::lock_guard lock(mutex_);
    ++done_;
  }

 private:
  void tick(const std::stop_token& stop) {
    constexpr auto interval = std::chrono::milliseconds(100);
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      ended_.wait_for(lock, stop, interval, [] { return false; });
      if (!stop.stop_requested()) bar_.show(repeat_ > 0 ? "repeating" : "running", done_, repeat_ > 0 ? repeat_ + 1 : 0);
    }
  }

  const uint64_t repeat_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  uint64_t done_ = 0;
  ProgressBar bar_{"run"};
  std::jthread ticking_;  // the last, so that it ends first
};

}  // namespace

void Timing::measure(uint32_t repeat, const std::function<void()>& run) {
  RunProgress progress(repeat);
  for (uint32_t i = 0; i <= repeat; ++i) {
    const Stopwatch watch;
    run();
    run_seconds.push_back(watch.seconds());
    progress.one_done();
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
  const std::string once = std::format("compile {}, first run {}", seconds_text(compile_seconds), seconds_text(first()));
  if (run_seconds.size() == 1) return once;
  return once + std::format(", median of {} {}", run_seconds.size() - 1, seconds_text(median()));
}

nlohmann::json Timing::json() const { return {{"compile", compile_seconds}, {"first", first()}, {"median", median()}}; }

}  // namespace host
