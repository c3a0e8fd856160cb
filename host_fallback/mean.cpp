// Mean: of any number of operands, element by element.
#include "host_fallback/variadic_sum.h"

namespace dbk {

namespace {

void compute(Compute& c) {
  const auto count = static_cast<double>(c.input_count());
  with_type<FLOATS>(c.out(0).type.dtype, [&]<class T>() { variadic_sum<T>(c, c.out(0), [=](double sum) { return sum / count; }); });
}

}  // namespace

extern constinit const HostOp host_mean{FLOATS, 0, infer_binary, compute};

}  // namespace dbk
