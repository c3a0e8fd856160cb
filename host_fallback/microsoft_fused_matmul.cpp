// com.microsoft.FusedMatMul: a product of matrices, either transposed by strides, times a number.
#include "host_fallback/matrix_product.h"
#include "host_fallback/scaled_product.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  infer.out(0, infer.in(0).dtype, scaled_product(infer.attrs(), OperandTypes(infer)).result);
}

template <class T>
void multiply(const ScaledProduct& p, const T* a, const T* b, T* out) {
  const StridedLoop<2> loop(p.batch, {p.a_strides, p.b_strides});
  const MatrixProduct<T> first{p.a.rows, p.b.columns, p.a.columns, a, b, p.a.row_step, p.a.column_step, p.b.row_step, p.b.column_step};
  const Tiling<T> tiling(first);
  const auto alpha = static_cast<Acc<T>>(p.alpha);
  parallel_ranges(p.batch.count() * tiling.count, tiling.grain(first), [&loop, &tiling, first, out, alpha](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t batch = task / tiling.count;
      const Offsets<2> at = offsets_of(loop, batch);
      MatrixProduct<T> one = first;
      one.a += at[0], one.b += at[1];
      T* to = out + batch * one.m * one.n;
      tiling.run(one, task % tiling.count, [to, alpha, n = one.n](int64_t i, int64_t j, Ring<T> sum) { to[i * n + j] = static_cast<T>(alpha * sum); });
    }
  });
}

void compute(Compute& c) {
  const ScaledProduct p = scaled_product(c.attrs(), OperandTypes(c));
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { multiply(p, c.in(0).as<T>(), c.in(1).as<T>(), c.out(0).as<T>()); });
}

}  // namespace

extern constinit const HostOp host_microsoft_fused_matmul{FLOATS, 0, infer, compute};

}  // namespace dbk
