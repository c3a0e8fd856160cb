// Windows that slide over the spatial axes of [batch, channel, spatial...]: the shape rules of convolutions, of
// transposed convolutions and of pooling, in one place for host and GPU.
#pragma once

#include <array>

#include "host_fallback/attributes.h"
#include "host_fallback/shape.h"

namespace dbk {

struct WindowAxis {
  int64_t in = 1, out = 1;  // extents of the input and of the result
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t begin = 0, end = 0;  // padding
  int64_t reach() const { return (kernel - 1) * dilation + 1; }
  // Coordinate of the input under tap 0 of the window of result `o`; may lie in the padding.
  int64_t start(int64_t o) const { return o * stride - begin; }
};

// Taps of one window along an axis whose coordinates fall inside [low, high).
struct TapRange {
  int64_t first, last;
  int64_t count() const { return last > first ? last - first : 0; }
};
TapRange taps_within(const WindowAxis& axis, int64_t start, int64_t low, int64_t high);

struct Windows {
  uint32_t rank = 0;
  std::array<WindowAxis, DBK_MAX_RANK> axes;

  const WindowAxis& operator[](size_t i) const { return axes[i]; }
  int64_t in_count() const { return product(&WindowAxis::in); }
  int64_t out_count() const { return product(&WindowAxis::out); }
  int64_t taps() const { return product(&WindowAxis::kernel); }
  // [batch, channels, extents of the result...]
  Shape result(int64_t batch, int64_t channels) const;

 private:
  int64_t product(int64_t WindowAxis::* member) const {
    int64_t n = 1;
    for (uint32_t i = 0; i < rank; ++i) n *= axes[i].*member;
    return n;
  }
};

// Of convolutions, for an input [batch, channel, spatial...] and the extents of the kernel. Throws INVALID_ARGUMENT for attributes that do
// not fit, and where a kernel is longer than an axis with its pads; of an empty axis the result is empty then.
Windows sliding_windows(const Attributes& attrs, const Shape& input, const Shape& kernel);
// Of the pooling ops, with the attribute ceil_mode. Extents are those of ONNX's shape inference, which divides towards zero: a window that is
// too long by less than a stride is still one, of what there is of the input.
Windows pooling_windows(const Attributes& attrs, const Shape& input);
// Of ConvTranspose, where windows slide over the result: result coordinate = input coordinate * stride + tap * dilation
// - begin.
Windows transposed_windows(const Attributes& attrs, const Shape& input, const Shape& kernel);

// One window over all of the spatial axes, as the Global pooling ops have it.
Windows whole_windows(const Shape& input);

// Extents of the kernel: the attribute kernel_shape.
Shape kernel_shape_of(const Attributes& attrs);

}  // namespace dbk
