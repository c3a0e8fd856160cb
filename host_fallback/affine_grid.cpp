// AffineGrid: the places of an output of the given size, in [-1, 1] from edge to edge (align_corners: from centre to centre), moved by each
// batch's matrix; what GridSample reads. Sums are double.
#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& theta = infer.shape(0);
  const Shape size(to_integers(infer.value(1)));
  const int64_t axes = static_cast<int64_t>(size.rank()) - 2;
  if (axes != 2 && axes != 3) fail(DBK_INVALID_ARGUMENT, "size is {}, not 4 or 5 numbers", to_string(size));
  for (int64_t extent : size)
    if (extent < 0) fail(DBK_INVALID_ARGUMENT, "size is {}", to_string(size));
  if (!(theta == Shape{size[0], axes, axes + 1}))
    fail(DBK_INVALID_ARGUMENT, "theta has shape {}, not {}", to_string(theta), to_string(Shape{size[0], axes, axes + 1}));
  Shape out{size[0]};
  for (uint32_t d = 2; d < size.rank(); ++d) out.push_back(size[d]);
  out.push_back(axes);
  infer.out(0, infer.in(0).dtype, out);
}

double place_of(int64_t i, int64_t extent, bool corners) {
  const auto n = static_cast<double>(extent), at = static_cast<double>(i);
  return corners ? 2 * at / (n - 1) - 1 : (2 * at + 1) / n - 1;
}

void compute(Compute& c) {
  const Shape& out = c.out(0).shape();
  if (out.count() == 0) return;
  const uint32_t axes = out.rank() - 2;
  const bool corners = c.attrs().integer("align_corners") != 0;
  const int64_t places = out.count() / (out[0] * axes);
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T* theta = c.in(0).as<T>();
    T* grid = c.out(0).as<T>();
    parallel_ranges(out[0] * places, grain_of(16), [=, &out](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        double place[3];  // last axis first, as grids count
        int64_t rest = i % places;
        for (uint32_t d = 0; d < axes; ++d) {
          const int64_t extent = out[axes - d];
          place[d] = place_of(rest % extent, extent, corners);
          rest /= extent;
        }
        for (uint32_t r = 0; r < axes; ++r) {
          const T* row = theta + (i / places * axes + r) * (axes + 1);
          double sum = static_cast<double>(row[axes]);
          for (uint32_t k = 0; k < axes; ++k) sum += static_cast<double>(row[k]) * place[k];
          grid[i * axes + r] = number_cast<T>(sum);
        }
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_affine_grid{FLOATS, 0b10, infer, compute};

}  // namespace dbk
