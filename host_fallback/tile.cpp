// Tile: the input repeated along each axis as often as `repeats` says.
#include "host_fallback/int_list.h"
#include "host_fallback/movement.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  Shape shape = infer.shape(0);
  const IntList repeats = list_of(infer, 1, "");
  if (repeats.size() != shape.rank())
    fail(DBK_INVALID_ARGUMENT, "repeats has {} numbers, the input {} has {} axes", repeats.size(), to_string(shape), shape.rank());
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    if (repeats[d] < 0) fail(DBK_INVALID_ARGUMENT, "repeats has {} at {}", repeats[d], d);
    if (__builtin_mul_overflow(shape[d], repeats[d], &shape[d])) fail(DBK_INVALID_ARGUMENT, "extent of axis {} overflows", d);
  }
  infer.out(0, infer.in(0).dtype, shape);
}

// One axis after the other would need copies between; walked by rows instead: each row of the output is one of the input,
// again and again.
void compute(Compute& c) {
  const Shape &in = c.in(0).shape(), &out = c.out(0).shape();
  if (c.out(0).count() == 0) return;
  if (in.rank() == 0) return copy_bytes(c.in(0).data, c.out(0).data, c.out(0).type.bytes());
  const uint32_t last = in.rank() - 1;
  const Shape strides = dense_strides(in);
  const int64_t length = out[last], rows = c.out(0).count() / length, size = bits_of(c.out(0).type.dtype) / 8;
  const char* from = c.in(0).as<char>();
  char* to = c.out(0).as<char>();
  parallel_ranges(rows, grain_of(length), [&, from, to, length, size, last](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t offset = 0, rest = row;
      for (uint32_t d = last; d-- > 0; rest /= out[d]) offset += rest % out[d] % in[d] * strides[d];
      for (int64_t at = 0; at < length; at += in[last])
        std::memcpy(to + (row * length + at) * size, from + offset * size, static_cast<size_t>(in[last] * size));
    }
  });
}

}  // namespace

extern constinit const HostOp host_tile{MOVABLE, 1u << 1, infer, compute};

}  // namespace dbk
