// What programs that measure one product for `./dev bench peers` answer: a JSON object of milliseconds.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

// Of a first run and of so many more.
inline std::vector<double> milliseconds_of(int runs, const std::function<void()>& run) {
  std::vector<double> times;
  for (int i = 0; i <= std::max(1, runs); ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return times;
}

inline void print_times(std::vector<double> times) {
  const double first = times[0];
  times.erase(times.begin());
  std::ranges::sort(times);
  std::printf("{\"first_ms\": %g, \"median_ms\": %g, \"min_ms\": %g}\n", first, times[times.size() / 2], times[0]);
}
