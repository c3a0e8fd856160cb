// MaxRoiPool: the largest element of each bin of each region [batch, x1, y1, x2, y2], whose corners are scaled and rounded to elements. A
// bin without an element is 0.
#include <cmath>

#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

namespace {

struct Bins {
  int64_t height, width;
};

Bins bins_of(const Attributes& attrs) {
  const std::vector<int64_t>& shape = attrs.integers("pooled_shape");
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1 || shape[0] > INT32_MAX || shape[1] > INT32_MAX)
    fail(DBK_INVALID_ARGUMENT, "pooled_shape is {}, not two numbers from 1 on", to_string(Shape(shape)));
  return {shape[0], shape[1]};
}

void infer(Infer& infer) {
  const Shape &x = infer.shape(0), &rois = infer.shape(1);
  if (x.rank() != 4) fail(DBK_INVALID_ARGUMENT, "the input is {}, not [batch, channels, height, width]", to_string(x));
  if (rois.rank() != 2 || rois[1] != 5) fail(DBK_INVALID_ARGUMENT, "rois are {}, not [regions, 5]", to_string(rois));
  const Bins bins = bins_of(infer.attrs());
  infer.out(0, infer.in(0).dtype, {rois[0], x[1], bins.height, bins.width});
}

// Elements [first, last) of bin `index` of a region's axis.
struct Range {
  int64_t first, last;
  Range(double from, double to, double scale, int64_t index, int64_t bins, int64_t extent) {
    const double start = std::round(from * scale), length = std::fmax(std::round(to * scale) - start + 1, 1);
    const double bin = length / static_cast<double>(bins), at = static_cast<double>(index) * bin;
    const auto clipped = [&](double place) { return static_cast<int64_t>(std::fmin(std::fmax(place + start, 0), static_cast<double>(extent))); };
    first = clipped(std::floor(at));
    last = clipped(std::ceil(at + bin));
  }
};

template <class T>
T largest(const T* plane, int64_t width, const Range& rows, const Range& columns) {
  T best{};
  bool found = false;
  for (int64_t y = rows.first; y < rows.last; ++y)
    for (int64_t x = columns.first; x < columns.last; ++x) {
      const T value = plane[y * width + x];
      if (!found || static_cast<Acc<T>>(value) > static_cast<Acc<T>>(best)) best = value;
      found = true;
    }
  return best;
}

template <class T>
void pool(Compute& c, const Bins& bins, double scale) {
  const Shape& shape = c.in(0).shape();
  const int64_t channels = shape[1], height = shape[2], width = shape[3], count = bins.height * bins.width;
  const T *in = c.in(0).as<T>(), *rois = c.in(1).as<T>();
  T* out = c.out(0).as<T>();
  const auto at = [=](int64_t region, int64_t i) { return static_cast<double>(rois[region * 5 + i]); };
  for (int64_t r = 0; r < c.in(1).shape()[0]; ++r)
    if (!(at(r, 0) >= 0 && at(r, 0) < static_cast<double>(shape[0])))
      fail(DBK_OUT_OF_RANGE, "rois has batch {} at position {}, which is outside [0, {})", at(r, 0), r, shape[0]);
  parallel_ranges(c.in(1).shape()[0] * channels, grain_of(height * width), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t r = i / channels;
      const T* plane = in + (static_cast<int64_t>(at(r, 0)) * channels + i % channels) * height * width;
      for (int64_t bin = 0; bin < count; ++bin) {
        const Range rows(at(r, 2), at(r, 4), scale, bin / bins.width, bins.height, height);
        const Range columns(at(r, 1), at(r, 3), scale, bin % bins.width, bins.width, width);
        out[i * count + bin] = largest(plane, width, rows, columns);
      }
    }
  });
}

void compute(Compute& c) {
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { pool<T>(c, bins_of(c.attrs()), c.attrs().real("spatial_scale")); });
}

}  // namespace

extern constinit const HostOp host_max_roi_pool{FLOATS, 0, infer, compute};

}  // namespace dbk
