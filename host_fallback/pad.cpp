// Pad: pads[i] elements before and pads[i + n] behind each of n axes, or fewer elements where they are negative. What is
// added is a constant, the nearest element (edge), a mirror image without the edge itself (reflect) or the input from its
// other end (wrap). Pads and value are attributes before version 11; since 18 an input may name the axes.
#include "host_fallback/op.h"
#include "host_fallback/movement.h"
#include "host_fallback/number_cast.h"
#include "host_fallback/packed.h"
#include "host_fallback/pad.h"

namespace dbk {

PadMode pad_mode(const Attributes& attrs) {
  const std::string& mode = attrs.text("mode");
  if (mode == "constant") return PadMode::Constant;
  if (mode == "edge") return PadMode::Edge;
  if (mode == "reflect") return PadMode::Reflect;
  if (mode == "wrap") return PadMode::Wrap;
  fail(DBK_INVALID_ARGUMENT, "mode is '{}', not 'constant', 'edge', 'reflect' or 'wrap'", mode);
}

Pads pads_of(const IntList& pads, const IntList& axes, uint32_t rank) {
  const int64_t count = axes.given() ? axes.size() : rank;
  if (pads.size() != 2 * count) fail(DBK_INVALID_ARGUMENT, "pads has {} numbers for {} axes", pads.size(), count);
  if (axes.given()) axis_bits(axes, rank);
  Pads result{Shape::filled(rank, 0), Shape::filled(rank, 0)};
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t axis = normalize_axis(axes.given() ? axes[i] : i, rank, "axes: axis");
    result.before[axis] = pads[i];
    result.behind[axis] = pads[i + count];
  }
  return result;
}

CroppedInput cropped(const Shape& in, const Pads& pads) {
  const Shape strides = dense_strides(in);
  CroppedInput rest{in, pads};
  for (uint32_t d = 0; d < in.rank(); ++d) {
    const int64_t before = std::min<int64_t>(pads.before[d], 0), behind = std::min<int64_t>(pads.behind[d], 0);
    rest.extents[d] += before + behind;
    rest.added.before[d] -= before;
    rest.added.behind[d] -= behind;
    rest.offset -= before * strides[d];
  }
  return rest;
}

Pads centred_pads(const Shape& in, const Shape& out) {
  Pads pads{in, in};
  for (uint32_t d = 0; d < in.rank(); ++d) {
    pads.before[d] = (out[d] - in[d]) / 2;
    pads.behind[d] = out[d] - in[d] - pads.before[d];
  }
  return pads;
}

namespace {

int64_t modulo(int64_t a, int64_t b) { return (a % b + b) % b; }

// After how many places a mode that repeats the input begins anew.
int64_t pad_period(PadMode mode, int64_t extent) { return mode == PadMode::Wrap ? extent : std::max<int64_t>(2 * (extent - 1), 1); }

// The place of the input shown at `at`, counted from the input's first; -1 for the constant. The extent is not 0 unless the mode is
// Constant.
int64_t pad_source(PadMode mode, int64_t at, int64_t extent) {
  if (at >= 0 && at < extent) return at;
  if (mode == PadMode::Constant) return -1;
  if (mode == PadMode::Edge) return at < 0 ? 0 : extent - 1;
  const int64_t period = pad_period(mode, extent), place = modulo(at, period);
  return place < extent ? place : period - place;
}

constexpr int64_t kMost = int64_t{1} << 48;  // of one pad, so that sums cannot overflow

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const PadMode mode = pad_mode(infer.attrs());
  const IntList axes = infer.has(3) ? IntList{&infer.value(3)} : IntList{};
  const Pads pads = pads_of(list_of(infer, 1, "pads"), axes, shape.rank());
  if (infer.has(2) && infer.in(2).count() != 1)
    fail(DBK_INVALID_ARGUMENT, "constant_value has shape {}, not one element", to_string(infer.shape(2)));
  Shape out = shape;
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    for (int64_t pad : {pads.before[d], pads.behind[d]})
      if (pad < -kMost || pad > kMost) fail(DBK_INVALID_ARGUMENT, "pads has {} for axis {}", pad, d);
    out[d] += pads.before[d] + pads.behind[d];
    if (out[d] < 0) fail(DBK_INVALID_ARGUMENT, "pads leave {} elements of axis {}", out[d], d);
  }
  const CroppedInput rest = cropped(shape, pads);
  for (uint32_t d = 0; d < shape.rank(); ++d)
    if (mode != PadMode::Constant && rest.extents[d] <= 0 && out[d] > 0)
      fail(DBK_INVALID_ARGUMENT, "axis {} is empty{}: mode '{}' has nothing to repeat", d, shape[d] == 0 ? "" : " without what pads take off",
           infer.attrs().text("mode"));
  infer.out(0, infer.in(0).dtype, out);
}

template <class E>
E fill_value(const Compute& c) {
  E value{};
  if (c.has(2)) {
    std::memcpy(&value, c.in(2).data, sizeof(E));
  } else if (c.attrs().has("value")) {
    with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
      const T number = number_cast<T>(c.attrs().real("value"));
      if constexpr (sizeof(T) == sizeof(E)) std::memcpy(&value, &number, sizeof(E));
    });
  }
  return value;
}

// Places [begin, end) of a row of the output that lie on one side of the input's: along the last axis, from a row of the input.
template <class E>
void pad_side(const E* from, int64_t extent, int64_t before, PadMode mode, E value, E* to, int64_t begin, int64_t end) {
  if (begin == end) return;
  if (mode == PadMode::Constant || mode == PadMode::Edge) {
    const int64_t source = pad_source(mode, begin - before, extent);
    std::fill(to + begin, to + end, source < 0 ? value : from[source]);
    return;
  }
  const int64_t period = pad_period(mode, extent);
  int64_t place = modulo(begin - before, period);
  for (int64_t i = begin; i < end; ++i) {
    to[i] = from[place < extent ? place : period - place];
    if (++place == period) place = 0;
  }
}

// Places [begin, end) of a row of the output.
template <class E>
void pad_row(const E* from, int64_t extent, int64_t before, PadMode mode, E value, E* to, int64_t begin, int64_t end) {
  const int64_t first = std::clamp<int64_t>(before, begin, end), last = std::clamp<int64_t>(before + extent, first, end);
  pad_side(from, extent, before, mode, value, to, begin, first);
  if (last > first) std::memcpy(to + first, from + first - before, static_cast<size_t>(last - first) * sizeof(E));
  pad_side(from, extent, before, mode, value, to, last, end);
}

// Offset in the input of what is behind place `index` of the output's first `axes` axes; -1 where it is padding.
int64_t source_of(const CroppedInput& in, const Shape& strides, const Shape& out, uint32_t axes, PadMode mode, int64_t index) {
  int64_t offset = in.offset;
  for (uint32_t d = axes; d-- > 0; index /= out[d]) {
    const int64_t source = pad_source(mode, index % out[d] - in.added.before[d], in.extents[d]);
    if (source < 0) return -1;
    offset += source * strides[d];
  }
  return offset;
}

template <class E>
void pad(const Compute& c, const Tensor& in, Tensor& out, const Pads& pads, PadMode mode) {
  const E value = fill_value<E>(c);
  const E* from = in.as<E>();
  E* to = out.as<E>();
  if (in.shape().rank() == 0) {
    *to = *from;
    return;
  }
  const Shape strides = dense_strides(in.shape());
  const CroppedInput rest = cropped(in.shape(), pads);
  const uint32_t last = in.shape().rank() - 1;
  const int64_t length = out.shape()[last], extent = rest.extents[last];
  // By elements, not by rows: there may be one row alone.
  parallel_ranges(out.count(), kElementGrain, [&, from, to, value, mode](int64_t begin, int64_t end) {
    for (int64_t row = begin / length; row * length < end; ++row) {
      const int64_t first = std::max(begin - row * length, int64_t{0}), stop = std::min(end - row * length, length);
      const int64_t source = source_of(rest, strides, out.shape(), last, mode, row);
      E* const places = to + row * length;
      if (source < 0)
        std::fill(places + first, places + stop, value);
      else
        pad_row(from + source, extent, rest.added.before[last], mode, value, places, first, stop);
    }
  });
}

// Elements that share bytes, one by one.
void pad_codes(Compute& c, const Pads& pads, PadMode mode) {
  const Shape &in = c.in(0).shape(), &out = c.out(0).shape(), strides = dense_strides(in);
  const CroppedInput rest = cropped(in, pads);
  const uint32_t bits = bits_of(c.in(0).type.dtype);
  const uint32_t value = c.has(2) ? packed_code(c.in(2).as<uint8_t>(), bits, 0) : 0;
  for (int64_t i = 0, count = c.out(0).count(); i < count; ++i) {
    const int64_t source = source_of(rest, strides, out, in.rank(), mode, i);
    append_packed_code(c.out(0).as<uint8_t>(), bits, i, source < 0 ? value : packed_code(c.in(0).as<uint8_t>(), bits, source));
  }
}

void compute(Compute& c) {
  const IntList axes = c.has(3) ? IntList{&c.in(3)} : IntList{};
  compute_pad(c, pads_of(list_of(c, 1, "pads"), axes, c.in(0).shape().rank()), pad_mode(c.attrs()));
}

}  // namespace

void compute_pad(Compute& c, const Pads& pads, PadMode mode) {
  if (c.out(0).count() == 0) return;
  if (bits_of(c.in(0).type.dtype) < 8) return pad_codes(c, pads, mode);
  with_element_size(c.in(0).type.dtype, [&]<class E>() { pad<E>(c, c.in(0), c.out(0), pads, mode); });
}

extern constinit const HostOp host_pad{STORED, 0b1010, infer, compute};

}  // namespace dbk
