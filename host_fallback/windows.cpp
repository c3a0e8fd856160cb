#include "host_fallback/windows.h"

namespace dbk {

namespace {

constexpr int64_t kLargest = INT32_MAX;  // of an attribute: sums and products of two stay within 63 bits

// Entry i of a list attribute with one entry per axis, or `otherwise` where the node leaves the list out.
int64_t entry(const Attributes& attrs, const char* name, size_t i, int64_t otherwise, int64_t least) {
  if (!attrs.has(name)) return otherwise;
  const int64_t value = attrs.integers(name)[i];
  if (value < least || value > kLargest)
    fail(DBK_INVALID_ARGUMENT, "{} has {}, which is outside [{}, {}]", name, value, least, kLargest);
  return value;
}

void check_length(const Attributes& attrs, const char* name, size_t wanted) {
  if (attrs.has(name) && attrs.integers(name).size() != wanted)
    fail(DBK_INVALID_ARGUMENT, "{} has {} entries, not {}", name, attrs.integers(name).size(), wanted);
}

enum class AutoPad : uint8_t { NotSet, Valid, SameUpper, SameLower };

AutoPad auto_pad_of(const Attributes& attrs) {
  if (!attrs.has("auto_pad")) return AutoPad::NotSet;  // ops that leave padding to the node
  const std::string& text = attrs.text("auto_pad");
  if (text == "NOTSET") return AutoPad::NotSet;
  if (text == "VALID") return AutoPad::Valid;
  if (text == "SAME_UPPER") return AutoPad::SameUpper;
  if (text == "SAME_LOWER") return AutoPad::SameLower;
  fail(DBK_INVALID_ARGUMENT, "auto_pad is '{}'", text);
}

// What every axis has: kernel, stride, dilation, and pads where auto_pad leaves them to the node.
Windows common_windows(const Attributes& attrs, const Shape& input, const Shape& kernel, AutoPad mode) {
  if (input.rank() < 3)
    fail(DBK_INVALID_ARGUMENT, "the input of shape {} has no spatial axis behind batch and channel", to_string(input));
  Windows w;
  w.rank = input.rank() - 2;
  if (kernel.rank() != w.rank)
    fail(DBK_INVALID_ARGUMENT, "kernel_shape has {} entries for an input of shape {}", kernel.rank(), to_string(input));
  check_length(attrs, "strides", w.rank);
  check_length(attrs, "dilations", w.rank);
  check_length(attrs, "pads", 2 * w.rank);
  for (uint32_t i = 0; i < w.rank; ++i) {
    if (kernel[i] < 1 || kernel[i] > kLargest) fail(DBK_INVALID_ARGUMENT, "kernel_shape is {}", to_string(kernel));
    WindowAxis& axis = w.axes[i];
    axis.in = input[i + 2];
    axis.kernel = kernel[i];
    axis.stride = entry(attrs, "strides", i, 1, 1);
    axis.dilation = entry(attrs, "dilations", i, 1, 1);
    if (mode != AutoPad::NotSet) continue;
    axis.begin = entry(attrs, "pads", i, 0, 0);
    axis.end = entry(attrs, "pads", i + w.rank, 0, 0);
  }
  return w;
}

int64_t ceil_div(int64_t n, int64_t d) { return n <= 0 ? 0 : (n + d - 1) / d; }

// Spreads `total` over both sides, the odd one behind or in front.
void pad(WindowAxis& axis, int64_t total, bool more_behind) {
  total = std::max<int64_t>(total, 0);
  axis.begin = more_behind ? total / 2 : total - total / 2;
  axis.end = total - axis.begin;
}

bool is_same(AutoPad mode) { return mode == AutoPad::SameUpper || mode == AutoPad::SameLower; }

void slide_same(WindowAxis& axis, AutoPad mode) {
  axis.out = ceil_div(axis.in, axis.stride);
  pad(axis, (axis.out - 1) * axis.stride + axis.reach() - axis.in, mode == AutoPad::SameUpper);
}

// Places beside the first window.
int64_t room_of(const WindowAxis& axis) { return axis.in + axis.begin + axis.end - axis.reach(); }

[[noreturn]] void fail_too_long(const WindowAxis& axis, uint32_t i) {
  fail(DBK_INVALID_ARGUMENT, "kernel_shape has {}, with dilations {} a window of {}, for axis {}, which has {} elements and pads of {} and {}", axis.kernel,
       axis.dilation, axis.reach(), i + 2, axis.in, axis.begin, axis.end);
}

void slide_pool(WindowAxis& axis, uint32_t i, bool ceil) {
  const int64_t room = room_of(axis);
  axis.out = axis.in == 0 && room < 0 ? 0 : (ceil && room > 0 ? ceil_div(room, axis.stride) : room / axis.stride) + 1;
  if (axis.out < 0) fail_too_long(axis, i);
  // A window that starts behind the input sees nothing of it.
  if (ceil && axis.out > 0 && axis.start(axis.out - 1) >= axis.in) --axis.out;
}

}  // namespace

TapRange taps_within(const WindowAxis& axis, int64_t start, int64_t low, int64_t high) {
  const int64_t first = ceil_div(low - start, axis.dilation);
  const int64_t last = std::min(axis.kernel, ceil_div(high - start, axis.dilation));
  return {first, std::max(first, last)};
}

Shape Windows::result(int64_t batch, int64_t channels) const {
  Shape shape{batch, channels};
  for (uint32_t i = 0; i < rank; ++i) shape.push_back(axes[i].out);
  return shape;
}

Windows whole_windows(const Shape& input) {
  Windows w;
  w.rank = input.rank() - 2;
  for (uint32_t i = 0; i < w.rank; ++i) w.axes[i].in = w.axes[i].kernel = input[i + 2];
  return w;
}

Shape kernel_shape_of(const Attributes& attrs) { return Shape(attrs.integers("kernel_shape")); }

Windows sliding_windows(const Attributes& attrs, const Shape& input, const Shape& kernel) {
  const AutoPad mode = auto_pad_of(attrs);
  Windows w = common_windows(attrs, input, kernel, mode);
  for (uint32_t i = 0; i < w.rank; ++i) {
    WindowAxis& axis = w.axes[i];
    const int64_t room = room_of(axis);
    if (is_same(mode)) slide_same(axis, mode);
    else if (room < 0 && axis.in > 0) fail_too_long(axis, i);
    else axis.out = room < 0 ? 0 : room / axis.stride + 1;
  }
  return w;
}

Windows pooling_windows(const Attributes& attrs, const Shape& input) {
  const AutoPad mode = auto_pad_of(attrs);
  Windows w = common_windows(attrs, input, kernel_shape_of(attrs), mode);
  const bool ceil = attrs.integer_or("ceil_mode", 0) != 0 && mode != AutoPad::Valid;
  for (uint32_t i = 0; i < w.rank; ++i) {
    if (is_same(mode)) slide_same(w.axes[i], mode);
    else slide_pool(w.axes[i], i, ceil);
  }
  return w;
}

Windows transposed_windows(const Attributes& attrs, const Shape& input, const Shape& kernel) {
  const AutoPad mode = auto_pad_of(attrs);
  Windows w = common_windows(attrs, input, kernel, mode);
  check_length(attrs, "output_padding", w.rank);
  const bool given = attrs.has("output_shape") && !attrs.integers("output_shape").empty();
  if (given && attrs.integers("output_shape").size() != w.rank && attrs.integers("output_shape").size() != w.rank + 2)
    fail(DBK_INVALID_ARGUMENT, "output_shape has {} entries, not {}", attrs.integers("output_shape").size(), w.rank);
  const size_t lead = given ? attrs.integers("output_shape").size() - w.rank : 0;
  for (uint32_t i = 0; i < w.rank; ++i) {
    WindowAxis& axis = w.axes[i];
    const int64_t extra = entry(attrs, "output_padding", i, 0, 0);
    const int64_t full = axis.in == 0 ? 0 : (axis.in - 1) * axis.stride + axis.reach() + extra;
    if (given || is_same(mode)) {
      axis.out = given ? entry(attrs, "output_shape", lead + i, 0, 0) : axis.in * axis.stride;
      pad(axis, full - axis.out, mode == AutoPad::SameUpper);
    } else {
      axis.out = std::max<int64_t>(0, full - axis.begin - axis.end);
      if (axis.out == 0 && axis.in > 0)
        fail(DBK_INVALID_ARGUMENT, "pads has {} and {} for axis {}, of whose {} elements nothing is left", axis.begin, axis.end, i + 2, full);
    }
  }
  return w;
}

}  // namespace dbk
