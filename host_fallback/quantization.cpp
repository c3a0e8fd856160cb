#include "host_fallback/quantization.h"

namespace dbk {

Granularity granularity_of(const Shape& x, const Shape& scale, int64_t axis, int64_t block_size) {
  if (block_size < 0) fail(DBK_INVALID_ARGUMENT, "block_size is {}", block_size);
  Granularity g;
  if (block_size == 0 && scale.rank() <= 1 && scale.count() == 1) return g;
  const uint32_t at = normalize_axis(axis, x.rank());
  g.extent = x[at];
  for (uint32_t d = at + 1; d < x.rank(); ++d) g.inner *= x[d];
  if (block_size == 0) {
    if (scale != Shape{g.extent})
      fail(DBK_INVALID_ARGUMENT, "scales of shape {} for axis {} of {}; either one or one for each index",
           to_string(scale), at, to_string(x));
    g.block_step = 1;
    return g;
  }
  Shape wanted = x;
  wanted[at] = x[at] / block_size + (x[at] % block_size != 0);
  if (scale != wanted)
    fail(DBK_INVALID_ARGUMENT, "block_size is {} along axis {}: scales of {} are {}, not {}", block_size, at, to_string(x), to_string(wanted),
         to_string(scale));
  g.block = block_size;
  g.inner_step = 1;
  g.block_step = g.inner;
  g.outer_step = g.inner * wanted[at];
  return g;
}

IntegerRange integer_range(DType dtype) {
  const double half = static_cast<double>(uint64_t{1} << (bits_of(dtype) - 1));
  return contains(I8 | I16 | I32 | I4 | I2, dtype) ? IntegerRange{-half, half - 1} : IntegerRange{0, 2 * half - 1};
}

}  // namespace dbk
