#include "plugin/gpu/families/precision_guard.h"

#include <bit>
#include <cmath>

#include "host_fallback/lanes.h"
#include "plugin/gpu/families/f16_effect.h"

namespace dbk::gpu {

namespace {

constexpr int64_t kRun = 4096;         // elements side by side
constexpr int64_t kMostRuns = 1 << 8;  // of those that are looked at

struct Range {
  double largest = 0, sum = 0, steps = 0;
  int64_t elements = 0, differences = 0;
  bool finite = true;

  void add(const float* x, int64_t n) {
    const auto size = [x](int64_t i) { return std::bit_cast<uint32_t>(x[i]) & 0x7fffffffu; };
    const uint32_t most = lane_reduce<uint32_t>(n, 0, size, [](uint32_t a, uint32_t b) { return std::max(a, b); });
    finite = finite && most < 0x7f800000u;
    largest = std::max(largest, double{std::bit_cast<float>(most)});
    sum += lane_sum<double>(n, [x](int64_t i) { return std::fabs(double{x[i]}); });
    steps += lane_sum<double>(n - 1, [x](int64_t i) { return std::fabs(double{x[i + 1]} - double{x[i]}); });
    elements += n, differences += n - 1;
  }
  double oscillation() const {
    return finite && sum > 0 && differences > 0 ? steps / static_cast<double>(differences) / (sum / static_cast<double>(elements)) : 0;
  }
};

// All of a small weight, runs spread evenly over a large one.
Range range_of(const Rounding& r, const std::byte* data) {
  const int64_t count = r.matrices * r.vectors * r.depth;
  const int64_t runs = std::min((count + kRun - 1) / kRun, kMostRuns);
  std::vector<float> run(static_cast<size_t>(kRun));
  Range range;
  for (int64_t i = 0; i < runs; ++i) {
    const int64_t first = count / runs * i, last = i + 1 == runs ? count : count / runs * (i + 1);
    const int64_t n = std::min(kRun, last - first);
    read_weight(r, data, first, n, run.data());
    range.add(run.data(), n);
  }
  return range;
}

std::string told(const PrecisionVerdict& v, const Rounding& r, const Controls& controls) {
  const bool kept = !v.operands || (r.sums && !v.sums);
  std::string text = !kept ? "the precision guard lets the weight be f16" : std::format("the precision guard keeps {} out of f16", v.operands ? "sums" : "the weight");
  text += std::format(": error {:.2g} of the norms", v.error);
  if (r.sums) text += std::format(" ({:.2g} with sums in f16)", v.error_of_sums);
  text += std::format(", {:.2g} % vanish, largest {:.3g}, oscillation {:.3g}", 100 * v.vanishing, v.largest, v.oscillation);
  if (!v.finite) return text + "; it is not finite";
  if (!v.calm) return text + std::format("; option oscillation_gate={}", controls.oscillation_gate);
  return kept ? text + std::format("; option precision_threshold={}", controls.precision_threshold) : text;
}

}  // namespace

PrecisionVerdict judge(const Rounding& r, const std::byte* data, const Controls& controls) {
  if (r.matrices * r.vectors * r.depth == 0) return {.told = "the weight is empty"};
  const auto passes = [&](const F16Effect& e) { return std::max(e.error, e.vanishing) <= controls.precision_threshold; };
  const Range range = range_of(r, data);
  const SampledColumns columns = sampled_columns(r, data);
  const F16Effect rounded = f16_effect(columns, OperandForm::F16);
  PrecisionVerdict v{.finite = range.finite, .largest = range.largest, .vanishing = rounded.vanishing, .error = rounded.error,
                     .oscillation = range.oscillation()};
  v.calm = controls.oscillation_gate == 0 || v.oscillation <= controls.oscillation_gate;
  v.operands = v.finite && v.calm && passes(rounded);
  v.sums = v.operands;
  if (r.sums) {
    const F16Effect in_f16 = f16_effect(columns, OperandForm::F16Sums);
    v.error_of_sums = in_f16.error;
    v.sums = v.operands && passes(in_f16);
  }
  v.told = told(v, r, controls);
  return v;
}

}  // namespace dbk::gpu
