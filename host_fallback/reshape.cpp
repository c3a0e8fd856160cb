// Reshape: the same elements under another shape. In the shape, one -1 is computed and a 0 copies the input's extent,
// unless `allowzero` says that 0 means 0.
#include "host_fallback/view.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& from = infer.shape(0);
  const Tensor& wanted = infer.value(1);
  const bool allow_zero = infer.attrs().integer_or("allowzero", 0) != 0;
  if (wanted.shape().rank() != 1) fail(DBK_INVALID_ARGUMENT, "shape has rank {}, not 1", wanted.shape().rank());
  Shape to;
  int64_t free_axis = -1;
  bool zero = false;
  for (int64_t i = 0, n = wanted.count(); i < n; ++i) {
    int64_t extent = integer_at(wanted, i);
    if (extent == -1) {
      if (free_axis >= 0) fail(DBK_INVALID_ARGUMENT, "shape has -1 at {} and at {}", free_axis, i);
      free_axis = i;
      extent = 1;
    } else if (extent == 0 && !allow_zero) {
      if (i >= from.rank())
        fail(DBK_INVALID_ARGUMENT, "shape has 0 at {}, but the input {} has no such axis", i, to_string(from));
      extent = from[static_cast<size_t>(i)];
    } else if (extent < 0) {
      fail(DBK_INVALID_ARGUMENT, "shape has {} at {}", extent, i);
    } else if (extent == 0) {
      zero = true;
    }
    to.push_back(extent);
  }
  if (zero && free_axis >= 0) fail(DBK_INVALID_ARGUMENT, "shape has both 0 and -1 with allowzero set");
  const int64_t count = from.count(), rest = to.count();
  if (free_axis >= 0 && rest != 0 && count % rest == 0) to[static_cast<size_t>(free_axis)] = count / rest;
  if (to.count() != count || (free_axis >= 0 && rest == 0))
    fail(DBK_INVALID_ARGUMENT, "input {} with {} elements cannot take the shape {}{}", to_string(from), count,
         to_string(to), free_axis >= 0 ? std::format(" with axis {} free", free_axis) : "");
  infer.out(0, infer.in(0).dtype, to);
}

}  // namespace

extern constinit const HostOp host_reshape{STORED, 1u << 1, infer, compute_view};

}  // namespace dbk
