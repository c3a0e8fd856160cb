#include "plugin/sampling.h"

#include <algorithm>
#include <utility>

namespace dbk {

Samples sample(std::vector<double> first, const Rounds& rounds, const std::function<double(size_t thing)>& time, const std::function<bool()>& spent) {
  constexpr double kHopeless = 2;  // times the best
  constexpr int kFairSamples = 3;
  Samples samples{std::move(first)};
  std::vector<bool> out(samples.fastest.size(), false);
  for (; samples.rounds < rounds.most; ++samples.rounds) {
    for (size_t i = 0; i < out.size(); ++i) {
      if (out[i]) continue;
      if (samples.rounds >= rounds.least && spent()) return samples;
      samples.fastest[i] = std::min(samples.fastest[i], time(i));
    }
    if (samples.rounds + 2 < kFairSamples) continue;
    const double best = *std::ranges::min_element(samples.fastest);
    for (size_t i = 0; i < out.size(); ++i) out[i] = samples.fastest[i] > kHopeless * best;
  }
  return samples;
}

}  // namespace dbk
