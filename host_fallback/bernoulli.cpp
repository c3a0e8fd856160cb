// Bernoulli: 1 with the probability that the operand's element says, else 0.
#include "host_fallback/random.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const DType dtype = infer.attrs().has("dtype") ? random_dtype(infer.attrs(), PLAIN) : infer.in(0).dtype;
  infer.out(0, dtype, infer.shape(0));
}

void compute(Compute& c) {
  const Philox generator = generator_of(c.attrs());
  const int64_t count = c.in(0).count();
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class P>() {
    with_type<PLAIN>(c.out(0).type.dtype, [&]<class T>() {
      for (int64_t i = 0; i < count; ++i) {
        const bool one = generator.uniform(static_cast<uint64_t>(i)) < static_cast<double>(c.in(0).as<P>()[i]);
        c.out(0).as<T>()[i] = number_cast<T>(static_cast<uint8_t>(one));
      }
    });
  });
}

}  // namespace

extern constinit const HostOp host_bernoulli{FLOATS, 0, infer, compute};

}  // namespace dbk
