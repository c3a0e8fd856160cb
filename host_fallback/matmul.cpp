// MatMul: NumPy's matmul. 1-D operands are promoted to matrices and lose that axis again; leading axes broadcast.
#include "host_fallback/op.h"
#include "host_fallback/matrix_product.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = FLOATS | I32 | I64 | U32 | U64;

struct Layout {
  int64_t m, n, k;
  Shape batch, batch_a, batch_b;  // leading axes of the result and of the operands
};

Layout layout_of(const Shape& a, const Shape& b) {
  if (a.rank() == 0 || b.rank() == 0)
    fail(DBK_INVALID_ARGUMENT, "operands of rank 0: {} and {}", to_string(a), to_string(b));
  Layout l;
  l.m = a.rank() == 1 ? 1 : a[a.rank() - 2];
  l.k = a[a.rank() - 1];
  l.n = b.rank() == 1 ? 1 : b[b.rank() - 1];
  const int64_t k = b.rank() == 1 ? b[0] : b[b.rank() - 2];
  if (k != l.k)
    fail(DBK_INVALID_ARGUMENT, "inner extents differ, {} and {}, in shapes {} and {}", l.k, k, to_string(a),
         to_string(b));
  for (uint32_t d = 0; d + 2 < a.rank(); ++d) l.batch_a.push_back(a[d]);
  for (uint32_t d = 0; d + 2 < b.rank(); ++d) l.batch_b.push_back(b[d]);
  l.batch = broadcast(l.batch_a, l.batch_b);
  return l;
}

void infer(Infer& infer) {
  const Layout l = layout_of(infer.shape(0), infer.shape(1));
  Shape out = l.batch;
  if (infer.shape(0).rank() > 1) out.push_back(l.m);
  if (infer.shape(1).rank() > 1) out.push_back(l.n);
  infer.out(0, infer.in(0).dtype, out);
}

template <class T>
void multiply(Layout l, const T* a, const T* b, T* out) {
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
  const Layout l = layout_of(c.in(0).shape(), c.in(1).shape());
  if (c.out(0).count() == 0) return;
  with_type<kTypes>(c.in(0).type.dtype,
                    [&]<class T>() { multiply(l, c.in(0).as<T>(), c.in(1).as<T>(), c.out(0).as<T>()); });
}

}  // namespace

extern constinit const HostOp host_matmul{kTypes, 0, infer, compute};

}  // namespace dbk
