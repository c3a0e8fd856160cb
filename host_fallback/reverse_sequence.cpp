// ReverseSequence: of every batch, the first sequence_lens elements along the time axis in reverse order. Batch and time are the first two
// axes, in either order.
#include "host_fallback/movement.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  const int64_t batch = infer.attrs().integer("batch_axis"), time = infer.attrs().integer("time_axis");
  if (batch < 0 || batch > 1 || time < 0 || time > 1 || batch == time)
    fail(DBK_INVALID_ARGUMENT, "batch_axis is {} and time_axis {}, not 0 and 1 or 1 and 0", batch, time);
  if (x.rank() < 2) fail(DBK_INVALID_ARGUMENT, "the input has shape {}, not two axes", to_string(x));
  if (!(infer.shape(1) == Shape{x[static_cast<size_t>(batch)]}))
    fail(DBK_INVALID_ARGUMENT, "sequence_lens has shape {} for {} batches", to_string(infer.shape(1)), x[static_cast<size_t>(batch)]);
  infer.out(0, infer.in(0).dtype, x);
}

void compute(Compute& c) {
  const Shape& x = c.in(0).shape();
  const bool time_first = c.attrs().integer("time_axis") == 0;
  const int64_t steps = x[time_first ? 0 : 1], batches = x[time_first ? 1 : 0];
  const int64_t* lengths = c.in(1).as<int64_t>();
  for (int64_t b = 0; b < batches; ++b)
    if (lengths[b] < 0 || lengths[b] > steps)
      fail(DBK_OUT_OF_RANGE, "sequence_lens has {} at position {}, which is outside [0, {}]", lengths[b], b, steps);
  if (x.count() == 0) return;
  const int64_t bytes = c.in(0).type.bytes() / (steps * batches);
  const auto* in = c.in(0).as<std::byte>();
  auto* out = c.out(0).as<std::byte>();
  parallel_ranges(steps * batches, grain_of(bytes / 4), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t t = time_first ? i / batches : i % steps, b = time_first ? i % batches : i / steps;
      const int64_t from = t < lengths[b] ? lengths[b] - 1 - t : t;
      std::memcpy(out + i * bytes, in + (time_first ? from * batches + b : b * steps + from) * bytes, static_cast<size_t>(bytes));
    }
  });
}

}  // namespace

extern constinit const HostOp host_reverse_sequence{MOVABLE, 0, infer, compute};

}  // namespace dbk
