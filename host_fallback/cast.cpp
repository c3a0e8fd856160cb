// Cast: every element to the type named by `to`; number_cast.h has the rules.
#include "host_fallback/op.h"
#include "host_fallback/number_cast.h"
#include "host_fallback/parallel.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const int64_t to = infer.attrs().integer("to");
  const DType dtype = dtype_of_onnx(to);
  if (dtype == DBK_DTYPE_NONE) fail(DBK_INVALID_ARGUMENT, "to is {}, which is no element type", to);
  if (!contains(PLAIN, dtype)) fail(DBK_UNIMPLEMENTED, "Cast to {} is not implemented", to_string(dtype));
  infer.out(0, dtype, infer.shape(0));
}

template <class To, class From>
void convert(const Tensor& source, Tensor& target) {
  const From* in = source.as<From>();
  To* out = target.as<To>();
  parallel_ranges(source.count(), kElementGrain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = number_cast<To>(in[i]);
  });
}

void compute(Compute& c) { cast_elements(c.in(0), c.out(0)); }

}  // namespace

void cast_elements(const Tensor& in, Tensor& out) {
  with_type<PLAIN>(in.type.dtype, [&]<class From>() {
    with_type<PLAIN>(out.type.dtype, [&]<class To>() { convert<To, From>(in, out); });
  });
}

extern constinit const HostOp host_cast{PLAIN, 0, infer, compute};

}  // namespace dbk
