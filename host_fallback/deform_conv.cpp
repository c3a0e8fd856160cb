// DeformConv: a convolution whose taps are moved by offsets, between elements by linear interpolation with zeros around, and weighted by an
// optional mask. Two spatial axes. Sums are double.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/windows.h"

namespace dbk {

namespace {

enum : size_t { kX, kW, kOffset, kBias, kMask };

struct Geometry {
  Windows windows;
  int64_t batch, channels_in, channels_out, group, offset_group;
};

Geometry geometry_of(const Attributes& attrs, const Shape& x, const Shape& w) {
  if (x.rank() != 4 || w.rank() != 4)
    fail(DBK_UNIMPLEMENTED, "an input of shape {} and weights of shape {}: two spatial axes are there", to_string(x), to_string(w));
  if (attrs.has("kernel_shape") && !(kernel_shape_of(attrs) == Shape{w[2], w[3]}))
    fail(DBK_INVALID_ARGUMENT, "kernel_shape is {}, the weights are {}", to_string(kernel_shape_of(attrs)), to_string(w));
  Geometry g{sliding_windows(attrs, x, {w[2], w[3]}), x[0], x[1], w[0], attrs.integer("group"), attrs.integer("offset_group")};
  if (g.group < 1 || x[1] != w[1] * g.group || w[0] % g.group != 0)
    fail(DBK_INVALID_ARGUMENT, "{} groups for an input of shape {} and weights of shape {}", g.group, to_string(x), to_string(w));
  if (g.offset_group < 1 || x[1] % g.offset_group != 0)
    fail(DBK_INVALID_ARGUMENT, "offset_group is {} for {} channels", g.offset_group, x[1]);
  return g;
}

void infer(Infer& infer) {
  const Geometry g = geometry_of(infer.attrs(), infer.shape(kX), infer.shape(kW));
  const int64_t taps = g.offset_group * g.windows.taps();
  const auto check = [&](size_t i, const char* name, const Shape& wanted) {
    if (infer.has(i) && !(infer.shape(i) == wanted))
      fail(DBK_INVALID_ARGUMENT, "{} has shape {}, not {}", name, to_string(infer.shape(i)), to_string(wanted));
  };
  check(kOffset, "offset", g.windows.result(g.batch, 2 * taps));
  check(kBias, "B", {g.channels_out});
  check(kMask, "mask", g.windows.result(g.batch, taps));
  infer.out(0, infer.in(0).dtype, g.windows.result(g.batch, g.channels_out));
}

// The plane at (y, x), zeros around it.
template <class T>
double between(const T* plane, int64_t height, int64_t width, double y, double x) {
  const double top = std::floor(y), left = std::floor(x);
  if (!(top >= -1 && left >= -1 && top < static_cast<double>(height) && left < static_cast<double>(width))) return 0;
  const auto row = static_cast<int64_t>(top), column = static_cast<int64_t>(left);
  const auto at = [=](int64_t i, int64_t j) {
    return i < 0 || j < 0 || i >= height || j >= width ? 0.0 : static_cast<double>(plane[i * width + j]);
  };
  const double down = y - top, across = x - left;
  return (1 - down) * ((1 - across) * at(row, column) + across * at(row, column + 1)) +
         down * ((1 - across) * at(row + 1, column) + across * at(row + 1, column + 1));
}

template <class T>
class Convolution {
 public:
  Convolution(const Compute& c, const Geometry& g)
      : g_(g), y_(g.windows[0]), x_(g.windows[1]), positions_(g.windows.out_count()), taps_(g.windows.taps()),
        in_(c.in(kX).as<T>()), weights_(c.in(kW).as<T>()), offset_(c.in(kOffset).as<T>()),
        bias_(c.has(kBias) ? c.in(kBias).as<T>() : nullptr), mask_(c.has(kMask) ? c.in(kMask).as<T>() : nullptr) {}

  double operator()(int64_t batch, int64_t output, int64_t position) const {
    const int64_t per_group = g_.channels_in / g_.group, first = output / (g_.channels_out / g_.group) * per_group;
    double sum = bias_ ? static_cast<double>(bias_[output]) : 0;
    for (int64_t c = 0; c < per_group; ++c) {
      const int64_t channel = first + c;
      const T* plane = in_ + (batch * g_.channels_in + channel) * g_.windows.in_count();
      const int64_t offsets = (batch * g_.offset_group + channel / (g_.channels_in / g_.offset_group)) * taps_;
      for (int64_t tap = 0; tap < taps_; ++tap)
        sum += static_cast<double>(weights_[(output * per_group + c) * taps_ + tap]) * sample(plane, offsets + tap, tap, position);
    }
    return sum;
  }

 private:
  double sample(const T* plane, int64_t at, int64_t tap, int64_t position) const {
    const auto moved = [&](const WindowAxis& axis, int64_t result, int64_t k, int64_t which) {
      return static_cast<double>(axis.start(result) + k * axis.dilation) +
             static_cast<double>(offset_[(at * 2 + which) * positions_ + position]);
    };
    const double y = moved(y_, position / x_.out, tap / x_.kernel, 0), x = moved(x_, position % x_.out, tap % x_.kernel, 1);
    const double weight = mask_ ? static_cast<double>(mask_[at * positions_ + position]) : 1;
    return weight * between(plane, y_.in, x_.in, y, x);
  }

  const Geometry& g_;
  const WindowAxis &y_, &x_;
  int64_t positions_, taps_;
  const T *in_, *weights_, *offset_, *bias_, *mask_;
};

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  const Geometry g = geometry_of(c.attrs(), c.in(kX).shape(), c.in(kW).shape());
  const int64_t positions = g.windows.out_count();
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const Convolution<T> convolution(c, g);
    T* out = c.out(0).as<T>();
    parallel_ranges(c.out(0).count(), grain_of(g.channels_in / g.group * g.windows.taps() * 8), [=, &convolution, &g](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t plane = i / positions;
        out[i] = number_cast<T>(convolution(plane / g.channels_out, plane % g.channels_out, i % positions));
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_deform_conv{FLOATS, 0, infer, compute};

}  // namespace dbk
