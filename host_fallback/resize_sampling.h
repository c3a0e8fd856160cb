// Resize and Upsample: which elements of the input make which element of the output. Interpolation is separable, so both devices
// work axis by axis with the tables that AxisSampler fills. Coordinates are f32 and computed in one order of steps for every device: the
// nearest neighbour of a coordinate half way between two must not depend on who computes it.
#pragma once

#include <array>

#include "host_fallback/op.h"

namespace dbk {

enum class Interpolation : uint8_t { Nearest, Linear, Cubic };
enum class Coordinates : uint8_t {
  HalfPixel, HalfPixelSymmetric, PytorchHalfPixel, AlignCorners, Asymmetric, HalfPixelForNn, CropAndResize
};
enum class Rounding : uint8_t { PreferFloor, PreferCeil, Floor, Ceil };

struct ResizeAxis {
  int64_t in = 1, out = 1;
  float scale = 1;            // of extents, output to input
  float length = 1;           // of the output before it was cut to whole elements
  float start = 0, end = 1;   // of the region that is resized, where coordinates are CropAndResize
  bool plain() const { return in == out && scale == 1 && start == 0 && end == 1; }
};

// What a node asks for.
struct ResizeSpec {
  Interpolation mode;
  Coordinates coordinates = Coordinates::Asymmetric;
  Rounding rounding = Rounding::Floor;
  double cubic = -0.75;
  bool exclude_outside = false, antialias = false;
  double outside = 0;  // the value of elements beyond the input, where coordinates are CropAndResize
  uint32_t rank = 0;
  std::array<ResizeAxis, DBK_MAX_RANK> axes;
};

// `value(i)`: the tensor of input i, or null. Throws INVALID_ARGUMENT for what does not fit.
using InputValue = const Tensor* (*)(const void* context, size_t i);
ResizeSpec resize_spec(const Attributes& attrs, const Shape& shape, InputValue value, const void* context);
inline constexpr uint32_t kResizeInputs = 0b1110;  // those with elements that are read: Upsample and version 10 have input 1 alone

// The elements of the input along one axis that make one element of the output.
class AxisSampler {
 public:
  AxisSampler(const ResizeSpec& spec, uint32_t axis);
  int64_t taps() const { return taps_; }
  // Writes taps() places and weights; what has no weight is not to be read, it may be infinite. False where the element is `outside`.
  bool sample(int64_t at, int64_t* place, double* weight) const;

 private:
  float coordinate(int64_t at) const;
  double weight_at(double distance) const;
  const ResizeSpec& spec_;
  const ResizeAxis& axis_;
  double shrink_;  // distances of neighbours count that much: 1, or the scale where antialiasing spreads the window
  int64_t taps_;
};

}  // namespace dbk
