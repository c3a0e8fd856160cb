// QLinearGlobalAveragePool: the mean of each channel of what codes stand for.
#include "host_fallback/qlinear_pool.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  Shape result = pooled_input(infer.attrs(), infer.shape(0));
  if (result.rank() < 3)
    fail(DBK_INVALID_ARGUMENT, "the input of shape {} has no spatial axis", to_string(infer.shape(0)));
  for (uint32_t d = 2; d < result.rank(); ++d) result[d] = 1;
  infer_qlinear_pool(infer, result);
}

void compute(Compute& c) { compute_qlinear_pool(c, whole_windows(pooled_input(c.attrs(), c.in(0).shape())), false); }

}  // namespace

extern constinit const HostOp host_qlinear_global_average_pool{kCodeTypes, 0, infer, compute};

}  // namespace dbk
