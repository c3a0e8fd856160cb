// Squeeze: without the axes named by `axes`, each of extent 1; without `axes`, without all such.
#include "host_fallback/int_list.h"
#include "host_fallback/view.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const IntList axes = list_of(infer, 1, "axes");
  const uint32_t bits = axis_bits(axes, shape.rank());
  Shape out;
  for (uint32_t d = 0; d < shape.rank(); ++d) {
    const bool named = (bits >> d & 1) != 0;
    if (named && shape[d] != 1)
      fail(DBK_INVALID_ARGUMENT, "axis {} of the input {} has extent {}, not 1", d, to_string(shape), shape[d]);
    if (axes.given() ? !named : shape[d] != 1) out.push_back(shape[d]);
  }
  infer.out(0, infer.in(0).dtype, out);
}

}  // namespace

extern constinit const HostOp host_squeeze{STORED, 1u << 1, infer, compute_view};

}  // namespace dbk
