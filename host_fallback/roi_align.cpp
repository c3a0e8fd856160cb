// RoiAlign: each region of interest is cut into bins, and each bin is the average (or maximum) of samples between elements. In mode max
// what competes are the weighted neighbours of all samples, as ONNX's data has it. Coordinates and sums are double.
#include "host_fallback/roi_align.h"

#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/parallel.h"

namespace dbk {

RoiAlignSpec roi_align_spec(const Attributes& attrs) {
  RoiAlignSpec spec{};
  const std::string& mode = attrs.text("mode");
  if (mode != "avg" && mode != "max") fail(DBK_INVALID_ARGUMENT, "mode is '{}', not 'avg' or 'max'", mode);
  spec.maximum = mode == "max";
  if (attrs.has("coordinate_transformation_mode")) {  // since version 16
    const std::string& coordinates = attrs.text("coordinate_transformation_mode");
    spec.half_pixel = coordinates == "half_pixel";
    if (!spec.half_pixel && coordinates != "output_half_pixel")
      fail(DBK_INVALID_ARGUMENT, "coordinate_transformation_mode is '{}'", coordinates);
  }
  spec.height = attrs.integer("output_height");
  spec.width = attrs.integer("output_width");
  spec.sampling = attrs.integer("sampling_ratio");
  spec.scale = attrs.real("spatial_scale");
  for (int64_t extent : {spec.height, spec.width})
    if (extent < 1 || extent > INT32_MAX) fail(DBK_INVALID_ARGUMENT, "output_height or output_width is {}", extent);
  if (spec.sampling < 0 || spec.sampling > INT16_MAX) fail(DBK_INVALID_ARGUMENT, "sampling_ratio is {}", spec.sampling);
  return spec;
}

namespace {

void infer(Infer& infer) {
  const Shape &x = infer.shape(0), &rois = infer.shape(1), &batches = infer.shape(2);
  const RoiAlignSpec spec = roi_align_spec(infer.attrs());
  if (x.rank() != 4) fail(DBK_INVALID_ARGUMENT, "the input is {}, not [batch, channels, height, width]", to_string(x));
  if (rois.rank() != 2 || rois[1] != 4) fail(DBK_INVALID_ARGUMENT, "rois are {}, not [regions, 4]", to_string(rois));
  if (batches.rank() != 1 || batches[0] != rois[0])
    fail(DBK_INVALID_ARGUMENT, "batch_indices are {} for {} regions", to_string(batches), rois[0]);
  if (x[2] * x[3] == 0 && rois[0] * x[1] > 0) fail(DBK_INVALID_ARGUMENT, "an input of shape {} has nothing to sample", to_string(x));
  infer.out(0, infer.in(0).dtype, {rois[0], x[1], spec.height, spec.width});
}

// Bins and samples along one axis of a region.
struct Extent {
  double start, bin;
  int64_t samples, elements;

  Extent(double from, double to, int64_t bins, const RoiAlignSpec& spec, int64_t extent) : elements(extent) {
    const double offset = spec.half_pixel ? 0.5 : 0;
    start = from * spec.scale - offset;
    const double length = to * spec.scale - offset - start;
    bin = (spec.half_pixel ? length : std::fmax(length, 1)) / static_cast<double>(bins);
    samples = spec.sampling > 0 ? spec.sampling : static_cast<int64_t>(std::fmin(std::fmax(std::ceil(bin), 0), 1e6));
  }
  double place(int64_t index, int64_t sample) const {
    return start + static_cast<double>(index) * bin + (static_cast<double>(sample) + 0.5) * bin / static_cast<double>(samples);
  }
};

// Two neighbours along one axis.
struct Between {
  int64_t low = 0, high = 0;
  double weight_low = 0, weight_high = 0;

  Between(double at, int64_t extent) {
    if (!(at >= -1 && at <= static_cast<double>(extent))) return;
    at = std::fmax(at, 0);
    low = static_cast<int64_t>(at);
    if (low >= extent - 1) at = static_cast<double>(low = extent - 1);
    high = std::min(low + 1, extent - 1);
    weight_high = at - static_cast<double>(low);
    weight_low = 1 - weight_high;
  }
};

template <class T>
double bin_of(const T* plane, int64_t width, const Extent& y, const Extent& x, int64_t row, int64_t column, bool maximum) {
  double sum = 0, most = -INFINITY;
  for (int64_t i = 0; i < y.samples; ++i) {
    const Between v(y.place(row, i), y.elements);
    for (int64_t j = 0; j < x.samples; ++j) {
      const Between h(x.place(column, j), x.elements);
      const double parts[] = {v.weight_low * h.weight_low * static_cast<double>(plane[v.low * width + h.low]),
                              v.weight_low * h.weight_high * static_cast<double>(plane[v.low * width + h.high]),
                              v.weight_high * h.weight_low * static_cast<double>(plane[v.high * width + h.low]),
                              v.weight_high * h.weight_high * static_cast<double>(plane[v.high * width + h.high])};
      for (double part : parts) {
        sum += part;
        most = std::fmax(most, part);
      }
    }
  }
  const int64_t samples = y.samples * x.samples;
  if (maximum) return samples > 0 ? most : 0;
  return sum / static_cast<double>(std::max<int64_t>(samples, 1));
}

template <class T>
void align(Compute& c, const RoiAlignSpec& spec) {
  const Shape& shape = c.in(0).shape();
  const int64_t channels = shape[1], height = shape[2], width = shape[3], bins = spec.height * spec.width;
  const T *in = c.in(0).as<T>(), *rois = c.in(1).as<T>();
  const Tensor& batches = c.in(2);
  T* out = c.out(0).as<T>();
  parallel_ranges(c.in(1).shape()[0] * channels, grain_of(bins * 16), [=, &batches, &spec](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* roi = rois + i / channels * 4;
      const Extent x(static_cast<double>(roi[0]), static_cast<double>(roi[2]), spec.width, spec, width);
      const Extent y(static_cast<double>(roi[1]), static_cast<double>(roi[3]), spec.height, spec, height);
      const T* plane = in + (integer_at(batches, i / channels) * channels + i % channels) * height * width;
      for (int64_t bin = 0; bin < bins; ++bin)
        out[i * bins + bin] = number_cast<T>(bin_of(plane, width, y, x, bin / spec.width, bin % spec.width, spec.maximum));
    }
  });
}

void compute(Compute& c) {
  const int64_t batches = c.in(0).shape()[0];
  for (int64_t i = 0; i < c.in(2).count(); ++i)
    if (const int64_t batch = integer_at(c.in(2), i); batch < 0 || batch >= batches)
      fail(DBK_OUT_OF_RANGE, "batch_indices has {} at position {}, which is outside [0, {})", batch, i, batches);
  if (c.out(0).count() == 0) return;
  const RoiAlignSpec spec = roi_align_spec(c.attrs());
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { align<T>(c, spec); });
}

}  // namespace

extern constinit const HostOp host_roi_align{FLOATS, 0, infer, compute};

}  // namespace dbk
