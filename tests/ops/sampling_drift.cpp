#include "tests/ops/sampling_drift.h"

#include <algorithm>
#include <cmath>

#include "host_fallback/dft.h"
#include "host_fallback/fft.h"
#include "host_fallback/grid_sample.h"
#include "host_fallback/resize_sampling.h"
#include "host_fallback/roi_align.h"
#include "host_fallback/stft.h"
#include "plugin/graph/schema.h"
#include "tests/ops/sum_drift.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::HostTensor;

// Of the finite elements.
double largest(const HostTensor& tensor) {
  double most = 0;
  for (double v : numbers(tensor))
    if (std::isfinite(v)) most = std::max(most, std::fabs(v));
  return most;
}

dbk::Attributes complete(std::string_view op, const OpCase& test) {
  dbk::Attributes attrs = test.attrs;
  check_attributes_and_fill_defaults(*dbk::find_schema("", op, test.opset), attrs);
  return attrs;
}

constexpr double kCubicSum = 1.375;  // of absolute weights, at most half way between two elements

}  // namespace

double drift_of_resize(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs) {
  struct Values {
    std::vector<dbk::Tensor> tensors;
  } values;
  for (const HostTensor& input : inputs) values.tensors.push_back(input.view());
  const auto value = [](const void* context, size_t i) -> const dbk::Tensor* {
    const auto& tensors = static_cast<const Values*>(context)->tensors;
    return i < tensors.size() && tensors[i].type.dtype != DBK_DTYPE_NONE ? &tensors[i] : nullptr;
  };
  const dbk::Attributes attrs = complete(row.name, test);
  const dbk::ResizeSpec spec = dbk::resize_spec(attrs, inputs[0].type.shape, value, &values);
  if (spec.mode == dbk::Interpolation::Nearest) return 0;
  double sum = 1, roundings = 0;
  for (uint32_t d = 0; d < spec.rank; ++d) {
    if (spec.axes[d].plain()) continue;
    const dbk::AxisSampler sampler(spec, d);
    std::vector<int64_t> place(static_cast<size_t>(sampler.taps()));
    std::vector<double> weight(place.size());
    double most = 1;
    for (int64_t at = 0; at < spec.axes[d].out; ++at) {
      sampler.sample(at, place.data(), weight.data());
      double absolute = 0;
      for (double w : weight) absolute += std::fabs(w);
      most = std::max(most, absolute);
    }
    sum *= most;
    roundings += static_cast<double>(sampler.taps()) + 2;
  }
  return roundings * sum * std::max(largest(inputs[0]), std::fabs(spec.outside));
}

double drift_of_grid_sample(const OpCase& test, std::span<const HostTensor> inputs) {
  const dbk::Attributes attrs = complete("GridSample", test);
  const dbk::GridMode mode = dbk::grid_mode(attrs);
  if (mode == dbk::GridMode::Nearest) return 0;
  const bool cubic = mode == dbk::GridMode::Cubic;
  const Shape& x = inputs[0].type.shape;
  const double axes = x.rank() - 2, taps = std::pow(cubic ? 4 : 2, axes), sum = std::pow(cubic ? kCubicSum : 1, axes);
  double places = 0;
  for (uint32_t d = 2; d < x.rank(); ++d) places += (largest(inputs[1]) + 1) * static_cast<double>(x[d]) / 2 + 1;
  const double of_places = 8 * places * (cubic ? 4 * sum : 2), of_weights = (8 * axes + taps + 1) * sum;
  return (of_places + of_weights) * largest(inputs[0]);
}

double drift_of_roi_align(const OpCase& test, std::span<const HostTensor> inputs) {
  const dbk::RoiAlignSpec spec = dbk::roi_align_spec(complete("RoiAlign", test));
  const Shape& x = inputs[0].type.shape;
  const double place = largest(inputs[1]) * std::max(spec.scale, 1.0) + static_cast<double>(std::max(x[2], x[3])) + 1;
  const double side = spec.sampling > 0 ? static_cast<double>(spec.sampling) : place;
  return (2 * 10 * place * 2 + chain(4 * side * side) + 8) * largest(inputs[0]);
}

namespace {

// All passes and what comes before and after them, times the root of the sum of squares of a line.
double drift_of_passes(int64_t length) {
  double steps = 10;
  for (int64_t radix : dbk::radices_of(length)) steps += radix == 2 || radix == 4 ? 10 : 10 + std::sqrt(static_cast<double>(radix));
  return 3 * steps;
}

}  // namespace

std::vector<double> drift_of_stft(const OpCase& test, std::span<const HostTensor> inputs, const HostTensor& y) {
  const dbk::Tensor step = inputs[1].view();
  const auto there = [&](size_t i) { return i < inputs.size() && inputs[i].type.dtype != DBK_DTYPE_NONE; };
  const dbk::Tensor length = there(3) ? inputs[3].view() : dbk::Tensor{};
  const dbk::Frames f = dbk::stft_frames(complete("STFT", test), inputs[0].type.shape, there(2) ? &inputs[2].type.shape : nullptr, step, there(3) ? &length : nullptr);
  const std::vector<double> in = numbers(inputs[0]), window = there(2) ? numbers(inputs[2]) : std::vector<double>(static_cast<size_t>(f.length), 1);
  const int64_t parts = f.real ? 1 : 2;
  std::vector<double> drift;
  for (int64_t line = 0; line < f.batch * f.count; ++line) {
    double squares = 0;
    const int64_t first = (line / f.count * f.samples + line % f.count * f.step) * parts;
    for (int64_t k = 0; k < f.length * parts; ++k) squares += std::pow(in[static_cast<size_t>(first + k)] * window[static_cast<size_t>(k / parts)], 2);
    drift.insert(drift.end(), static_cast<size_t>(2 * f.bins), drift_of_passes(f.length) * std::sqrt(squares));
  }
  drift.resize(static_cast<size_t>(y.type.count()));
  return drift;
}

std::vector<double> drift_of_dft(const OpCase& test, std::span<const HostTensor> inputs, const HostTensor& y) {
  const dbk::Attributes attrs = complete("DFT", test);
  std::vector<dbk::Tensor> tensors;
  for (const HostTensor& input : inputs) tensors.push_back(input.view());
  const auto value = [&](size_t i) { return i < tensors.size() && tensors[i].type.dtype != DBK_DTYPE_NONE ? &tensors[i] : nullptr; };
  const Shape& x = inputs[0].type.shape;
  const dbk::DftSpec spec = dbk::dft_spec(attrs, x, value(1), value(2));
  int64_t inner = 1, extent = x[spec.axis];
  const int64_t parts = x[x.rank() - 1];
  for (uint32_t d = spec.axis + 1; d + 1 < x.rank(); ++d) inner *= x[d];
  const std::vector<double> in = numbers(inputs[0]);
  const double steps = drift_of_passes(spec.length);
  std::vector<double> roots(static_cast<size_t>(x.count() / (extent * parts)));  // of the sum of squares of each line
  for (size_t line = 0; line < roots.size(); ++line) {
    const auto at = static_cast<int64_t>(line);
    double squares = 0;
    for (int64_t k = 0; k < std::min(extent, spec.length); ++k)
      for (int64_t part = 0; part < parts; ++part) {
        const double v = in[static_cast<size_t>(((at / inner * extent + k) * inner + at % inner) * parts + part)];
        squares += v * v * (spec.half_in ? 2 : 1);
      }
    roots[line] = std::sqrt(squares);
  }
  std::vector<double> drift;
  const size_t made = spec.real_out ? 1 : 2;
  for (int64_t i = 0, n = y.type.count() / static_cast<int64_t>(made); i < n; ++i) {
    const double root = roots[static_cast<size_t>(i / inner / spec.bins * inner + i % inner)];
    drift.insert(drift.end(), made, steps * root / (spec.inverse ? static_cast<double>(spec.length) : 1));
  }
  return drift;
}

}  // namespace ops
