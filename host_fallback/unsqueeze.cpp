// Unsqueeze: an axis of extent 1 at each place that `axes` names, counted in the output.
#include "host_fallback/int_list.h"
#include "host_fallback/view.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const IntList axes = list_of(infer, 1, "axes");
  const int64_t rank = shape.rank() + axes.size();
  if (rank > DBK_MAX_RANK) fail(DBK_UNIMPLEMENTED, "rank {} is over {}", rank, DBK_MAX_RANK);
  const uint32_t bits = axis_bits(axes, static_cast<uint32_t>(rank));
  Shape out;
  for (uint32_t d = 0, from = 0; d < rank; ++d) out.push_back(bits >> d & 1 ? 1 : shape[from++]);
  infer.out(0, infer.in(0).dtype, out);
}

}  // namespace

extern constinit const HostOp host_unsqueeze{STORED, 1u << 1, infer, compute_view};

}  // namespace dbk
