// MatMul: NumPy's matmul. 1-D operands are promoted to matrices and lose that axis again; leading axes broadcast.
#include "host_fallback/matmul_layout.h"
#include "host_fallback/matrix_product.h"
#include "host_fallback/op.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = FLOATS | I32 | I64 | U32 | U64;

void infer(Infer& infer) {
  const MatmulLayout l = matmul_layout(infer.shape(0), infer.shape(1));
  infer.out(0, infer.in(0).dtype, l.result());
}

template <class T>
void multiply(MatmulLayout l, const T* a, const T* b, T* out) {
  if (l.batch_b.count() == 1 &&
      l.batch_a.count() == l.batch.count()) {  // one matrix B for all: the batch is more rows of A
    l.m *= l.batch.count();
    l.batch = l.batch_a = l.batch_b = {};
  }
  const StridedLoop<2> loop(l.batch, {broadcast_strides(l.batch_a, l.batch), broadcast_strides(l.batch_b, l.batch)});
  const MatrixProduct<T> first{l.m, l.n, l.k, a, b, l.k, 1, l.n, 1};
  const Tiling<T> tiling(first);
  parallel_ranges(
      l.batch.count() * tiling.count, tiling.grain(first), [&loop, &tiling, first, out](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
          const int64_t batch = task / tiling.count;
          const Offsets<2> at = offsets_of(loop, batch);
          MatrixProduct<T> p = first;
          p.a += at[0] * p.m * p.k;
          p.b += at[1] * p.k * p.n;
          T* to = out + batch * p.m * p.n;
          tiling.run(p, task % tiling.count,
                     [to, n = p.n](int64_t i, int64_t j, Ring<T> sum) { to[i * n + j] = static_cast<T>(sum); });
        }
      });
}

void compute(Compute& c) {
  const MatmulLayout l = matmul_layout(c.in(0).shape(), c.in(1).shape());
  if (c.out(0).count() == 0) return;
  with_type<kTypes>(c.in(0).type.dtype,
                    [&]<class T>() { multiply(l, c.in(0).as<T>(), c.in(1).as<T>(), c.out(0).as<T>()); });
}

}  // namespace

extern constinit const HostOp host_matmul{kTypes, 0, infer, compute};

}  // namespace dbk
