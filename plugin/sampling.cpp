#include "plugin/sampling.h"

#include <algorithm>
#include <utility>

namespace dbk {

Samples sample(std::vector<double> first, const Rounds& rounds, const std::function<double(size_t thing)>& time, const std::function<bool()>& spent) {
  constexpr double kHopeless = 2;   // times the best
  constexpr double kGain = 0.98;    // times the fastest before: less of a gain is none
  constexpr int kFairSamples = 3, kFruitlessRounds = 2;
  Samples samples{std::move(first)};
  std::vector<bool> out(samples.fastest.size(), false);
  int fruitless = 0;
  while (samples.rounds < rounds.most && fruitless < kFruitlessRounds) {
    bool gain = false;
    for (size_t i = 0; i < out.size(); ++i) {
      if (out[i]) continue;
      if (samples.rounds >= rounds.least && spent()) return samples;
      const double now = time(i);
      gain = gain || now < kGain * samples.fastest[i];
      samples.fastest[i] = std::min(samples.fastest[i], now);
    }
    ++samples.rounds;
    fruitless = gain ? 0 : fruitless + 1;
    if (samples.rounds + 1 < kFairSamples) continue;
    const double best = *std::ranges::min_element(samples.fastest);
    for (size_t i = 0; i < out.size(); ++i) out[i] = samples.fastest[i] > kHopeless * best;
  }
  samples.enough = true;
  return samples;
}

}  // namespace dbk
