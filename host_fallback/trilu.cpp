// Trilu: the upper triangle of each matrix, or the lower one where `upper` is 0, with zeros elsewhere; k moves the diagonal.
#include "host_fallback/movement.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  if (infer.shape(0).rank() < 2) fail(DBK_INVALID_ARGUMENT, "the input has rank {}, not at least 2", infer.shape(0).rank());
  if (infer.has(1) && infer.value(1).count() != 1) fail(DBK_INVALID_ARGUMENT, "k has shape {}, not one element", to_string(infer.shape(1)));
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

// The elements of a row that stay.
struct Kept {
  int64_t first, last;
};

Kept kept_of(int64_t row, int64_t k, bool upper, int64_t columns) {
  int64_t diagonal;
  if (__builtin_add_overflow(row, k, &diagonal)) diagonal = k < 0 ? -1 : columns;
  return upper ? Kept{std::clamp<int64_t>(diagonal, 0, columns), columns} : Kept{0, std::clamp<int64_t>(diagonal, -1, columns - 1) + 1};
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  if (c.out(0).count() == 0) return;
  const int64_t rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1], k = c.has(1) ? integer_at(c.in(1), 0) : 0;
  const bool upper = c.attrs().integer("upper") != 0;
  with_element_size(c.in(0).type.dtype, [&]<class E>() {
    const E* in = c.in(0).as<E>();
    E* out = c.out(0).as<E>();
    parallel_ranges(c.out(0).count() / columns, grain_of(columns), [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const Kept kept = kept_of(row % rows, k, upper, columns);
        E* to = out + row * columns;
        std::fill(to, to + kept.first, E{});
        std::copy(in + row * columns + kept.first, in + row * columns + kept.last, to + kept.first);
        std::fill(to + kept.last, to + columns, E{});
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_trilu{MOVABLE, 1u << 1, infer, compute};

}  // namespace dbk
