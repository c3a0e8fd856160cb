#include <cmath>

#include "host_fallback/int_list.h"
#include "host_fallback/interpolation.h"
#include "host_fallback/resize_sampling.h"
#include "host_fallback/scalar_operand.h"

namespace dbk {

namespace {

template <class E>
struct Named {
  std::string_view name;
  E value;
};

template <class E, size_t N>
E choice(const Attributes& attrs, std::string_view attribute, const Named<E> (&names)[N]) {
  const std::string& text = attrs.text(attribute);
  for (const Named<E>& each : names)
    if (each.name == text) return each.value;
  fail(DBK_INVALID_ARGUMENT, "{} is '{}'", attribute, text);
}

constexpr Named<Interpolation> kModes[] = {
    {"nearest", Interpolation::Nearest}, {"linear", Interpolation::Linear}, {"cubic", Interpolation::Cubic}};
constexpr Named<Coordinates> kCoordinates[] = {{"half_pixel", Coordinates::HalfPixel},
                                               {"half_pixel_symmetric", Coordinates::HalfPixelSymmetric},
                                               {"pytorch_half_pixel", Coordinates::PytorchHalfPixel},
                                               {"align_corners", Coordinates::AlignCorners},
                                               {"asymmetric", Coordinates::Asymmetric},
                                               {"tf_half_pixel_for_nn", Coordinates::HalfPixelForNn},
                                               {"tf_crop_and_resize", Coordinates::CropAndResize}};
constexpr Named<Rounding> kRoundings[] = {{"round_prefer_floor", Rounding::PreferFloor},
                                          {"round_prefer_ceil", Rounding::PreferCeil},
                                          {"floor", Rounding::Floor},
                                          {"ceil", Rounding::Ceil}};
enum class Policy : uint8_t { Stretch, NotLarger, NotSmaller };
constexpr Named<Policy> kPolicies[] = {
    {"stretch", Policy::Stretch}, {"not_larger", Policy::NotLarger}, {"not_smaller", Policy::NotSmaller}};

constexpr float kMostScale = 0x1p30f;

struct Request {
  const Attributes& attrs;
  const Shape& shape;
  IntList axes;
  std::array<uint32_t, DBK_MAX_RANK> listed;  // the axes, in order
  int64_t count;

  Request(const Attributes& attributes, const Shape& input)
      : attrs(attributes), shape(input), axes(attribute_list(attributes, "axes")), count(axes.given() ? axes.size() : input.rank()) {
    if (axes.given()) axis_bits(axes, input.rank());
    for (int64_t i = 0; i < count; ++i) listed[static_cast<size_t>(i)] = normalize_axis(axes.given() ? axes[i] : i, input.rank(), "axes: axis");
  }
  ResizeAxis& axis(ResizeSpec& spec, int64_t i) const { return spec.axes[listed[static_cast<size_t>(i)]]; }
};

void set_scale(ResizeAxis& axis, double scale) {
  axis.scale = static_cast<float>(scale);
  if (!(axis.scale > 0) || axis.scale > kMostScale) fail(DBK_INVALID_ARGUMENT, "scales has {}", scale);
  axis.length = axis.scale * static_cast<float>(axis.in);
  if (axis.length > 0x1p48f) fail(DBK_INVALID_ARGUMENT, "scales has {} for an axis of {}", scale, axis.in);
  axis.out = static_cast<int64_t>(std::floor(axis.length));
}

template <class At>
void set_scales(const Request& r, int64_t count, At at, ResizeSpec& spec) {
  if (count != r.count) fail(DBK_INVALID_ARGUMENT, "scales has {} numbers for {} axes", count, r.count);
  for (int64_t i = 0; i < count; ++i) set_scale(r.axis(spec, i), at(i));
}

void set_sizes(const Request& r, const Tensor& sizes, Policy policy, ResizeSpec& spec) {
  if (sizes.count() != r.count) fail(DBK_INVALID_ARGUMENT, "sizes has {} numbers for {} axes", sizes.count(), r.count);
  double common = 0;
  for (int64_t i = 0; i < r.count; ++i) {
    ResizeAxis& axis = r.axis(spec, i);
    axis.out = integer_at(sizes, i);
    if (axis.out < 0 || (axis.in == 0 && axis.out > 0))
      fail(DBK_INVALID_ARGUMENT, "sizes has {} for an axis of {}", axis.out, axis.in);
    const double scale = axis.in == 0 ? 1 : static_cast<double>(axis.out) / static_cast<double>(axis.in);
    axis.scale = static_cast<float>(scale);
    common = i == 0 ? scale : policy == Policy::NotLarger ? std::min(common, scale) : std::max(common, scale);
  }
  for (int64_t i = 0; i < r.count; ++i) {
    ResizeAxis& axis = r.axis(spec, i);
    if (policy != Policy::Stretch) {
      axis.scale = static_cast<float>(common);
      axis.out = static_cast<int64_t>(std::floor(common * static_cast<double>(axis.in) + 0.5));
    }
    axis.length = static_cast<float>(axis.out);
  }
}

void set_region(const Request& r, const Tensor* roi, ResizeSpec& spec) {
  if (!roi || roi->count() != 2 * r.count)
    fail(DBK_INVALID_ARGUMENT, "roi has {} numbers for {} axes", roi ? roi->count() : 0, r.count);
  for (int64_t i = 0; i < r.count; ++i) {
    r.axis(spec, i).start = static_cast<float>(real_at(*roi, i));
    r.axis(spec, i).end = static_cast<float>(real_at(*roi, i + r.count));
  }
}

void set_attributes(const Attributes& attrs, ResizeSpec& spec) {
  spec.coordinates = choice(attrs, "coordinate_transformation_mode", kCoordinates);
  spec.rounding = choice(attrs, "nearest_mode", kRoundings);
  spec.cubic = attrs.real("cubic_coeff_a");
  spec.exclude_outside = attrs.integer("exclude_outside") != 0;
  spec.outside = attrs.real("extrapolation_value");
  spec.antialias = attrs.integer_or("antialias", 0) != 0 && spec.mode != Interpolation::Nearest;
}

}  // namespace

ResizeSpec resize_spec(const Attributes& attrs, const Shape& shape, InputValue value, const void* context) {
  ResizeSpec spec;
  spec.mode = choice(attrs, "mode", kModes);
  spec.rank = shape.rank();
  for (uint32_t d = 0; d < spec.rank; ++d) spec.axes[d].in = spec.axes[d].out = shape[d];
  const Request request(attrs, shape);
  if (!attrs.has("coordinate_transformation_mode")) {  // Upsample, and Resize of version 10
    if (attrs.has("scales")) {
      const std::vector<double>& scales = attrs.reals("scales");
      set_scales(request, static_cast<int64_t>(scales.size()), [&](int64_t i) { return scales[static_cast<size_t>(i)]; }, spec);
    } else {
      const Tensor& scales = *value(context, 1);
      set_scales(request, scales.count(), [&](int64_t i) { return real_at(scales, i); }, spec);
    }
    return spec;
  }
  set_attributes(attrs, spec);
  const Policy policy = attrs.has("keep_aspect_ratio_policy") ? choice(attrs, "keep_aspect_ratio_policy", kPolicies) : Policy::Stretch;
  const Tensor *scales = value(context, 2), *sizes = value(context, 3);
  const bool scaled = scales && scales->count() > 0, sized = sizes && (sizes->count() > 0 || !scaled);
  if (scaled == sized) fail(DBK_INVALID_ARGUMENT, "{} of scales and sizes are given, not one", scaled ? "both" : "none");
  if (scaled) set_scales(request, scales->count(), [&](int64_t i) { return real_at(*scales, i); }, spec);
  else set_sizes(request, *sizes, policy, spec);
  if (spec.coordinates == Coordinates::CropAndResize) set_region(request, value(context, 1), spec);
  return spec;
}

AxisSampler::AxisSampler(const ResizeSpec& spec, uint32_t axis) : spec_(spec), axis_(spec.axes[axis]), shrink_(1), taps_(1) {
  if (spec.mode == Interpolation::Nearest) return;
  if (spec.antialias) shrink_ = std::min(1.0, static_cast<double>(axis_.scale));
  taps_ = 2 * static_cast<int64_t>(std::ceil((spec.mode == Interpolation::Linear ? 1 : 2) / shrink_));
}

float AxisSampler::coordinate(int64_t at) const {
  const auto x = static_cast<float>(at);
  const auto last = static_cast<float>(axis_.in - 1);
  switch (spec_.coordinates) {
    case Coordinates::Asymmetric:
      return x / axis_.scale;
    case Coordinates::HalfPixel:
      return (x + 0.5f) / axis_.scale - 0.5f;
    case Coordinates::HalfPixelForNn:
      return (x + 0.5f) / axis_.scale;
    case Coordinates::PytorchHalfPixel:
      return axis_.out > 1 ? (x + 0.5f) / axis_.scale - 0.5f : 0.0f;
    case Coordinates::AlignCorners:
      return axis_.length == 1 ? 0.0f : x * last / (axis_.length - 1);
    case Coordinates::HalfPixelSymmetric: {
      const float adjustment = static_cast<float>(axis_.out) / axis_.length;
      return static_cast<float>(axis_.in) / 2 * (1 - adjustment) + (x + 0.5f) / axis_.scale - 0.5f;
    }
    case Coordinates::CropAndResize:
      break;
  }
  if (axis_.length == 1) return 0.5f * (axis_.start + axis_.end) * last;
  return axis_.start * last + x * (axis_.end - axis_.start) * last / (axis_.length - 1);
}

double AxisSampler::weight_at(double distance) const {
  return spec_.mode == Interpolation::Linear ? linear_weight(distance * shrink_) : cubic_weight(distance * shrink_, spec_.cubic);
}

bool AxisSampler::sample(int64_t at, int64_t* place, double* weight) const {
  const double x = coordinate(at);
  const int64_t last = axis_.in - 1;
  if (spec_.coordinates == Coordinates::CropAndResize && !(x >= 0 && x <= static_cast<double>(last))) {
    std::fill_n(place, taps_, int64_t{0});
    std::fill_n(weight, taps_, 0.0);
    return false;
  }
  if (spec_.mode == Interpolation::Nearest) {
    const double nearest = spec_.rounding == Rounding::Floor         ? std::floor(x)
                           : spec_.rounding == Rounding::Ceil        ? std::ceil(x)
                           : spec_.rounding == Rounding::PreferFloor ? std::ceil(x - 0.5)
                                                                     : std::floor(x + 0.5);
    place[0] = std::clamp<int64_t>(static_cast<int64_t>(nearest), 0, last);
    weight[0] = 1;
    return true;
  }
  const auto first = static_cast<int64_t>(std::floor(x)) - taps_ / 2 + 1;
  double sum = 0;
  for (int64_t t = 0; t < taps_; ++t) {
    const int64_t j = first + t;
    place[t] = std::clamp<int64_t>(j, 0, last);
    weight[t] = spec_.exclude_outside && (j < 0 || j > last) ? 0 : weight_at(static_cast<double>(j) - x);
    sum += weight[t];
  }
  if ((spec_.antialias || spec_.exclude_outside) && sum != 0)
    for (int64_t t = 0; t < taps_; ++t) weight[t] /= sum;
  return true;
}

}  // namespace dbk
