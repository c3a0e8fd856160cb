#include "host_fallback/pooling.h"

namespace dbk {

void infer_pool(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const Windows w = pooling_windows(infer.attrs(), shape);
  if (infer.attrs().has("p") && infer.attrs().integer("p") < 1)
    fail(DBK_INVALID_ARGUMENT, "p is {}, not a positive number", infer.attrs().integer("p"));
  infer.out(0, infer.in(0).dtype, w.result(shape[0], shape[1]));
  infer.out(1, DBK_I64, w.result(shape[0], shape[1]));  // MaxPool's indices
}

void infer_global_pool(Infer& infer) {
  Shape shape = infer.shape(0);
  if (shape.rank() < 3)
    fail(DBK_INVALID_ARGUMENT, "the input of shape {} has no spatial axis behind batch and channel", to_string(shape));
  if (infer.attrs().has("p") && infer.attrs().integer("p") < 1)
    fail(DBK_INVALID_ARGUMENT, "p is {}, not a positive number", infer.attrs().integer("p"));
  for (uint32_t d = 2; d < shape.rank(); ++d) shape[d] = 1;
  infer.out(0, infer.in(0).dtype, shape);
}

PoolRow::PoolRow(const Windows& windows, int64_t row, bool count_padding) : w_(windows), count_padding_(count_padding) {
  for (uint32_t d = w_.rank - 1; d-- > 0; row /= w_[d].out) {
    start_[d] = w_[d].start(row % w_[d].out);
    taps_[d] = taps_within(w_[d], start_[d], 0, w_[d].in);
    counted_outer_ *= count_padding_ ? taps_within(w_[d], start_[d], start_[d], w_[d].in + w_[d].end).count()
                                     : taps_[d].count();
  }
  plane_ = row;
}

int64_t PoolRow::counted(int64_t o) const {
  const WindowAxis& axis = w_[w_.rank - 1];
  const int64_t start = axis.start(o);
  const TapRange taps = count_padding_ ? taps_within(axis, start, start, axis.in + axis.end)
                                       : taps_within(axis, start, 0, axis.in);
  return counted_outer_ * taps.count();
}

TapRange results_within(const WindowAxis& axis, int64_t tap, int64_t first, int64_t width) {
  const int64_t start = axis.start(first) + tap * axis.dilation;  // coordinate for the first of them
  const auto up = [&](int64_t n) { return n <= 0 ? 0 : (n + axis.stride - 1) / axis.stride; };
  const int64_t from = up(-start), to = std::min(width, up(axis.in - start));
  return {from, std::max(from, to)};
}

}  // namespace dbk
