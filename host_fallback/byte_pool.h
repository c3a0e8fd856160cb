// Windows over tensors of bytes whose channels come second or last. An op is a functor with `identity`, combine(state,
// byte) and finish(state, count), where count is what PoolRow counts.
#pragma once

#include "host_fallback/pooling.h"

namespace dbk {

// [batch, channel, spatial...] of a tensor whose channels come last.
inline Shape channels_second(const Shape& shape) {
  if (shape.rank() < 3) fail(DBK_INVALID_ARGUMENT, "the input of shape {} has no spatial axis", to_string(shape));
  Shape moved = shape;
  moved[1] = shape[shape.rank() - 1];
  for (uint32_t d = 2; d < shape.rank(); ++d) moved[d] = shape[d - 1];
  return moved;
}
inline Shape channels_last(const Shape& shape) {
  Shape moved = shape;
  moved[shape.rank() - 1] = shape[1];
  for (uint32_t d = 2; d < shape.rank(); ++d) moved[d - 1] = shape[d];
  return moved;
}

// Elements of a plane: every `step`th one from the base on.
struct PlaneSteps {
  int64_t channels, step;
  PlaneSteps(int64_t channel_count, bool last) : channels(channel_count), step(last ? channel_count : 1) {}
  int64_t base(int64_t plane, int64_t size) const {
    return step == 1 ? plane * size : plane / channels * size * channels + plane % channels;
  }
};

template <class T, class F>
void pool_bytes(const Windows& w, int64_t planes, PlaneSteps steps, bool count_padding, const T* in, T* out, F f) {
  const WindowAxis& axis = w[w.rank - 1];
  const int64_t rows_of_plane = w.out_count() / std::max<int64_t>(axis.out, 1);
  parallel_ranges(planes * rows_of_plane, grain_of(axis.out * w.taps()), [=, &w, &axis](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const PoolRow place(w, row, count_padding);
      const T* x = in + steps.base(place.plane(), w.in_count());
      T* y = out + steps.base(place.plane(), w.out_count()) + row % rows_of_plane * axis.out * steps.step;
      for (int64_t o = 0; o < axis.out; ++o) {
        const TapRange taps = taps_within(axis, axis.start(o), 0, axis.in);
        auto state = f.identity();
        place.for_rows([&](int64_t offset) {
          for (int64_t tap = taps.first; tap < taps.last; ++tap)
            state = f.combine(state, int32_t{x[(offset + axis.start(o) + tap * axis.dilation) * steps.step]});
        });
        y[o * steps.step] = static_cast<T>(f.finish(state, place.counted(o)));
      }
    }
  });
}

}  // namespace dbk
