// Concat: the inputs one after another along `axis`.
#include "host_fallback/op.h"
#include "host_fallback/movement.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  Shape out = infer.shape(0);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), out.rank());
  for (size_t i = 1; i < infer.input_count(); ++i) {
    const Shape& next = infer.shape(i);
    bool fits = next.rank() == out.rank();
    for (uint32_t d = 0; fits && d < out.rank(); ++d) fits = d == axis || next[d] == out[d];
    if (!fits)
      fail(DBK_INVALID_ARGUMENT, "input {} of shape {} does not fit input 0 of shape {} along axis {}", i,
           to_string(next), to_string(infer.shape(0)), axis);
    if (__builtin_add_overflow(out[axis], next[axis], &out[axis]))
      fail(DBK_INVALID_ARGUMENT, "extent of axis {} overflows", axis);
  }
  infer.out(0, infer.in(0).dtype, out);
}

// Rows of `row` bytes, dense at `from`, to rows `pitch` bytes apart.
void copy_rows(const char* from, char* to, int64_t rows, int64_t row, int64_t pitch) {
  parallel_ranges(rows * row, 8 * kElementGrain, [=](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t column = begin % row, length = std::min(row - column, end - begin);
      std::memcpy(to + begin / row * pitch + column, from + begin, static_cast<size_t>(length));
      begin += length;
    }
  });
}

void compute(Compute& c) {
  const Shape& out = c.out(0).shape();
  const uint32_t axis = normalize_axis(c.attrs().integer("axis"), out.rank());
  if (c.out(0).count() == 0) return;
  int64_t rows = 1;
  for (uint32_t d = 0; d < axis; ++d) rows *= out[d];
  char* to = c.out(0).as<char>();
  for (size_t i = 0; i < c.input_count(); ++i) {
    const int64_t row = c.in(i).type.bytes() / rows;
    if (row > 0) copy_rows(c.in(i).as<char>(), to, rows, row, c.out(0).type.bytes() / rows);
    to += row;
  }
}

}  // namespace

extern constinit const HostOp host_concat{MOVABLE, 0, infer, compute};

}  // namespace dbk
