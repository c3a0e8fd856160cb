// MatMul: NumPy's matmul. 1-D operands are promoted to matrices and lose that axis again; leading axes broadcast.
#include "host_fallback/matmul_batches.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = FLOATS | I32 | I64 | U32 | U64;

void infer(Infer& infer) {
  const MatmulLayout l = matmul_layout(infer.shape(0), infer.shape(1));
  infer.out(0, infer.in(0).dtype, l.result());
}

void compute(Compute& c) {
  const MatmulLayout l = matmul_layout(c.in(0).shape(), c.in(1).shape());
  if (c.out(0).count() == 0) return;
  with_type<kTypes>(c.in(0).type.dtype, [&]<class T>() {
    multiply_batches(l, c.in(0).as<T>(), c.in(1).as<T>(), [out = c.out(0).as<T>(), n = l.n](int64_t i, int64_t j, Ring<T> sum) {
      out[i * n + j] = static_cast<T>(sum);
    });
  });
}

}  // namespace

extern constinit const HostOp host_matmul{kTypes, 0, infer, compute};

}  // namespace dbk
