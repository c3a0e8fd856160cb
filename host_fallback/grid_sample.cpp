// GridSample: the input at places that a grid names, [-1, 1] being the input from edge to edge (align_corners: from the first element's
// centre to the last one's). A place beyond is zero, the border, or a mirror image, again and again. Coordinates and sums are double; the
// nearest element is a copy, for every type, and ties go to the even place.
#include "host_fallback/grid_sample.h"

#include <cmath>

#include "host_fallback/interpolation.h"
#include "host_fallback/movement.h"
#include "host_fallback/number_cast.h"

namespace dbk {

GridMode grid_mode(const Attributes& attrs) {
  const std::string& mode = attrs.text("mode");
  if (mode == "nearest") return GridMode::Nearest;
  if (mode == "linear" || mode == "bilinear") return GridMode::Linear;
  if (mode == "cubic" || mode == "bicubic") return GridMode::Cubic;
  fail(DBK_INVALID_ARGUMENT, "mode is '{}', not 'linear', 'nearest' or 'cubic'", mode);
}

GridPadding grid_padding(const Attributes& attrs) {
  const std::string& mode = attrs.text("padding_mode");
  if (mode == "zeros") return GridPadding::Zeros;
  if (mode == "border") return GridPadding::Border;
  if (mode == "reflection") return GridPadding::Reflection;
  fail(DBK_INVALID_ARGUMENT, "padding_mode is '{}', not 'zeros', 'border' or 'reflection'", mode);
}

namespace {

constexpr double kCubic = -0.75;

struct Sampling {
  GridMode mode;
  GridPadding padding;
  bool corners;
};

// One spatial axis.
struct Axis {
  int64_t extent;
  Sampling how;
  double low() const { return how.corners ? 0 : -0.5; }
  double high() const { return static_cast<double>(extent) - (how.corners ? 1 : 0.5); }

  double reflected(double x) const {
    const double range = high() - low();
    if (!(range > 0)) return low();
    const double away = std::fmod(std::fabs(x - low()), 2 * range);
    return low() + (away > range ? 2 * range - away : away);
  }

  // The place that a number of the grid names, brought back by the padding; what is beyond even so is zero.
  double place(double at) const {
    double x = how.corners ? (at + 1) / 2 * static_cast<double>(extent - 1) : ((at + 1) * static_cast<double>(extent) - 1) / 2;
    if (how.mode == GridMode::Nearest) x = std::nearbyint(x);
    if (!(x >= low() && x <= high())) {
      if (how.padding == GridPadding::Border) x = x > 0 ? static_cast<double>(extent - 1) : 0;
      if (how.padding == GridPadding::Reflection) x = std::isfinite(x) ? reflected(x) : low();
    }
    const double far = static_cast<double>(extent) + 3;
    return x >= -4 ? std::fmin(x, far) : -4;  // NaN is nowhere
  }

  // The element that stands at j, -1 for none.
  int64_t element(int64_t j) const {
    if (j >= 0 && j < extent) return j;
    if (how.padding == GridPadding::Zeros) return -1;
    if (how.padding == GridPadding::Border) return j < 0 ? 0 : extent - 1;
    return std::clamp<int64_t>(static_cast<int64_t>(reflected(static_cast<double>(j))), 0, extent - 1);
  }
};

struct Taps {
  int64_t count = 0;
  int64_t element[4];
  double weight[4];
};

Taps taps_at(const Axis& axis, double at) {
  const double x = axis.place(at);
  Taps taps;
  if (axis.how.mode == GridMode::Nearest) return {1, {axis.element(static_cast<int64_t>(x))}, {1}};
  const bool cubic = axis.how.mode == GridMode::Cubic;
  const auto first = static_cast<int64_t>(std::floor(x)) - (cubic ? 1 : 0);
  taps.count = cubic ? 4 : 2;
  for (int64_t t = 0; t < taps.count; ++t) {
    const double d = static_cast<double>(first + t) - x;
    taps.element[t] = axis.element(first + t);
    taps.weight[t] = cubic ? cubic_weight(d, kCubic) : linear_weight(d);
  }
  return taps;
}

constexpr uint32_t kMostAxes = DBK_MAX_RANK - 2;

struct Place {
  uint32_t rank;
  std::array<Taps, kMostAxes> axes;
  std::array<int64_t, kMostAxes> strides;
};

// Calls f(offset, weight) for every element of a plane that counts.
template <class F>
void for_taps(const Place& p, uint32_t axis, int64_t offset, double weight, F&& f) {
  if (axis == p.rank) return f(offset, weight);
  const Taps& taps = p.axes[axis];
  for (int64_t t = 0; t < taps.count; ++t)
    if (taps.element[t] >= 0 && taps.weight[t] != 0)
      for_taps(p, axis + 1, offset + taps.element[t] * p.strides[axis], weight * taps.weight[t], f);
}

void infer(Infer& infer) {
  const Shape &x = infer.shape(0), &grid = infer.shape(1);
  const GridMode mode = grid_mode(infer.attrs());
  grid_padding(infer.attrs());
  if (x.rank() < 3 || grid.rank() != x.rank() || grid[x.rank() - 1] != x.rank() - 2 || grid[0] != x[0])
    fail(DBK_INVALID_ARGUMENT, "the grid is {}, the input {}: not [batch, places..., {}]", to_string(grid), to_string(x),
         x.rank() < 2 ? 0 : x.rank() - 2);
  if (mode != GridMode::Nearest && !contains(FLOATS, infer.in(0).dtype))
    fail(DBK_UNIMPLEMENTED, "mode '{}' of {}", infer.attrs().text("mode"), to_string(infer.in(0).dtype));
  Shape out{x[0], x[1]};
  for (uint32_t d = 1; d + 1 < grid.rank(); ++d) out.push_back(grid[d]);
  if (x.count() == 0 && out.count() > 0) fail(DBK_INVALID_ARGUMENT, "an input of shape {} has nothing to sample", to_string(x));
  infer.out(0, infer.in(0).dtype, out);
}

// Runs `plane(place, channel's first element, index of the result)` for every place of the grid and every channel.
template <class G, class F>
void for_places(Compute& c, const G* grid, F plane) {
  const Shape& x = c.in(0).shape();
  const uint32_t rank = x.rank() - 2;
  const Sampling how{grid_mode(c.attrs()), grid_padding(c.attrs()), c.attrs().integer("align_corners") != 0};
  const Shape strides = dense_strides(x);
  const int64_t channels = x[1], size = x.count() / (x[0] * channels), places = c.out(0).count() / (x[0] * channels);
  parallel_ranges(x[0] * places, grain_of(channels * 16), [&, grid, plane](int64_t begin, int64_t end) {
    Place p{rank, {}, {}};
    for (uint32_t d = 0; d < rank; ++d) p.strides[d] = strides[d + 2];
    for (int64_t i = begin; i < end; ++i) {
      for (uint32_t d = 0; d < rank; ++d)  // the grid counts axes from the last
        p.axes[d] = taps_at({x[d + 2], how}, static_cast<double>(grid[i * rank + (rank - 1 - d)]));
      const int64_t batch = i / places;
      for (int64_t channel = 0; channel < channels; ++channel)
        plane(p, (batch * channels + channel) * size, (batch * channels + channel) * places + i % places);
    }
  });
}

template <class G>
void sample(Compute& c, const G* grid) {
  const DType dtype = c.in(0).type.dtype;
  if (grid_mode(c.attrs()) == GridMode::Nearest)
    return with_element_size(dtype, [&]<class E>() {
      const E* in = c.in(0).as<E>();
      E* out = c.out(0).as<E>();
      for_places(c, grid, [=](const Place& p, int64_t start, int64_t result) {
        out[result] = E{};
        for_taps(p, 0, start, 1, [=](int64_t at, double) { out[result] = in[at]; });
      });
    });
  with_type<FLOATS>(dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    for_places(c, grid, [=](const Place& p, int64_t start, int64_t result) {
      double sum = 0;
      for_taps(p, 0, start, 1, [=, &sum](int64_t at, double weight) { sum += weight * static_cast<double>(in[at]); });
      out[result] = number_cast<T>(sum);
    });
  });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(1).type.dtype, [&]<class G>() { sample(c, c.in(1).as<G>()); });
}

}  // namespace

extern constinit const HostOp host_grid_sample{MOVABLE, 0, infer, compute};

}  // namespace dbk
