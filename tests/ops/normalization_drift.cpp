#include "tests/ops/normalization_drift.h"

#include <algorithm>
#include <cmath>

#include "host_fallback/normalization.h"
#include "host_fallback/strided.h"
#include "tests/ops/sum_drift.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::HostTensor;
using dbk::Normalization;

struct Source {
  std::vector<double> value, error;  // what is normalised, and what its additions lose
  std::vector<double> first_sum;     // of x and skip, where a third term follows
};

Source source_of(const Normalization& op, std::span<const HostTensor> inputs) {
  Source source{numbers(inputs[0]), {}, {}};
  source.error.assign(source.value.size(), 0);
  const auto add = [&](size_t operand) {
    if (operand >= inputs.size() || inputs[operand].type.dtype == DBK_DTYPE_NONE) return;
    const std::vector<double> terms = numbers(inputs[operand]);
    if (operand == op.shift) source.first_sum = source.value;
    for (size_t i = 0; i < source.value.size(); ++i) {
      source.value[i] += terms[i % terms.size()];
      source.error[i] += std::fabs(source.value[i]);
    }
  };
  add(op.skip);
  add(op.shift);
  return source;
}

std::vector<double> scales_of(const HostTensor& scale, const Shape& shape) {
  const std::vector<double> elements = numbers(scale);
  const dbk::StridedLoop<1> loop(shape, {broadcast_strides(scale.type.shape, shape)});
  std::vector<double> scales(static_cast<size_t>(shape.count()));
  for (size_t i = 0; i < scales.size(); ++i) scales[i] = std::fabs(elements[static_cast<size_t>(offsets_of(loop, static_cast<int64_t>(i))[0])]);
  return scales;
}

double mean_of(const double* v, size_t n, auto term) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += term(v[i]);
  return sum / static_cast<double>(n);
}

}  // namespace

void add_drift_of_normalization(const dbk::OpRow& row, const OpCase& test, std::span<const HostTensor> inputs, Kind kind,
                                std::vector<Expected>& expected) {
  const Normalization op = dbk::normalization_of(row.id);
  const Shape& shape = inputs[0].type.shape;
  if (shape.count() == 0) return;
  size_t n = 1;
  for (uint32_t d = dbk::normalized_axis(test.attrs, shape); d < shape.rank(); ++d) n *= static_cast<size_t>(shape[d]);
  const Source source = source_of(op, inputs);
  const std::vector<double> scales = scales_of(inputs[op.scale], shape);
  const double length = static_cast<double>(n), epsilon = test.attrs.has("epsilon") ? test.attrs.real("epsilon") : 1e-12;
  const double growth = kind == Kind::Gpu ? blocked(length) : 0, steps = kind == Kind::Gpu ? 14 : 5;
  const double of_mean = op.centred ? growth / std::sqrt(length) : 0, largest = *std::ranges::max_element(scales);
  const auto put = [&](size_t output, double drift) {
    if (output < expected.size()) expected[output].drift.push_back(drift);
  };
  for (size_t first = 0; first < source.value.size(); first += n) {
    const double* v = source.value.data() + first;
    const double mean = op.centred ? mean_of(v, n, [](double x) { return x; }) : 0;
    const double inverse = 1 / std::sqrt(mean_of(v, n, [mean](double x) { return (x - mean) * (x - mean); }) + epsilon);
    const double lost = std::sqrt(mean_of(source.error.data() + first, n, [](double e) { return e * e; }));
    for (size_t i = 0; i < n; ++i) {
      const double normal = std::fabs(v[i] - mean) * inverse, moved = source.error[first + i] + lost * (1 + normal);
      put(0, ((steps + growth / 2) * normal + moved * inverse) * scales[first + i] + of_mean * largest);
      put(op.sum, source.first_sum.empty() ? 0 : std::fabs(source.first_sum[first + i]));
    }
    put(op.mean, kind == Kind::Gpu ? (1 + of_mean) / inverse + lost : lost);  // 1 / inverse: the deviation, and a little more
    put(op.inverse, (kind == Kind::Gpu ? 9 + growth / 2 : 0) * inverse + lost * inverse * inverse);
  }
}

}  // namespace ops
