// QLinearAveragePool: AveragePool of what codes stand for.
#include "host_fallback/qlinear_pool.h"

namespace dbk {

namespace {

Windows windows_of(const Attributes& attrs, const Shape& x) {
  return pooling_windows(attrs, pooled_input(attrs, x));
}

void infer(Infer& infer) {
  const Shape x = pooled_input(infer.attrs(), infer.shape(0));
  infer_qlinear_pool(infer, windows_of(infer.attrs(), infer.shape(0)).result(x[0], x[1]));
}

void compute(Compute& c) {
  compute_qlinear_pool(c, windows_of(c.attrs(), c.in(0).shape()), c.attrs().integer("count_include_pad") != 0);
}

}  // namespace

extern constinit const HostOp host_qlinear_average_pool{kCodeTypes, 0, infer, compute};

}  // namespace dbk
