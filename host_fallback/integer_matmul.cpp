#include "host_fallback/integer_matmul.h"

namespace dbk {

MatrixPlaces places_of(const Shape& numbers, const MatmulLayout& l, bool of_rows, const char* what) {
  const Shape result = l.matrices();
  Shape shape = numbers;
  if (numbers.rank() == 1 && of_rows && numbers[0] != 1) shape.push_back(1);
  bool fits = shape.rank() <= result.rank();
  for (uint32_t d = 0; fits && d < shape.rank(); ++d) {
    const int64_t extent = shape[shape.rank() - 1 - d];
    fits = extent == 1 || (extent == result[result.rank() - 1 - d] && d != (of_rows ? 0u : 1u));
  }
  if (!fits)
    fail(DBK_INVALID_ARGUMENT, "{} of shape {} for {} of {} x {}", what, to_string(numbers),
         of_rows ? "rows" : "columns", l.m, l.n);
  const Shape strides = broadcast_strides(shape, result);
  MatrixPlaces places;
  for (uint32_t d = 0; d + 2 < strides.rank(); ++d) places.batch.push_back(strides[d]);
  places.row = strides[strides.rank() - 2];
  places.column = strides[strides.rank() - 1];
  return places;
}

}  // namespace dbk
