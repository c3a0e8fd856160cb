// How long a job took: its compilation and each of its runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace host {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Timing {
  double compile_seconds = 0;       // compile, set_param and ready together
  std::vector<double> run_seconds;  // the first and the repeated ones; never empty

  // Runs the job once and then `repeat` times, with a progress bar.
  void measure(uint32_t repeat, const std::function<void()>& run);

  double first() const { return run_seconds.front(); }
  // The smallest time that at least `part` of the repeated runs do not exceed; the first run's where it was the only
  // one.
  double quantile(double part) const;
  double median() const { return quantile(0.5); }
  std::string text() const;
  nlohmann::json json() const;
};

}  // namespace host
