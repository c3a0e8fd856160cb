#include "plugin/sampling.h"

#include <algorithm>
#include <cmath>

namespace dbk {

Samples sample(size_t things, int rounds, const std::function<double(size_t thing)>& time, const std::function<bool()>& spent) {
  constexpr double kHopeless = 2;  // times the best
  constexpr int kFairRounds = 3;
  Samples samples{std::vector<double>(things, INFINITY)};
  std::vector<bool> out(things, false);
  for (; samples.rounds < rounds && !(samples.rounds > 0 && spent()); ++samples.rounds) {
    for (size_t i = 0; i < things; ++i)
      if (!out[i]) samples.fastest[i] = std::min(samples.fastest[i], time(i));
    if (samples.rounds + 1 < kFairRounds) continue;
    const double best = *std::ranges::min_element(samples.fastest);
    for (size_t i = 0; i < things; ++i) out[i] = samples.fastest[i] > kHopeless * best;
  }
  return samples;
}

}  // namespace dbk
