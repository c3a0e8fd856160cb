// Gemm: alpha * A' * B' + beta * C for matrices, A' and B' being transposed on request; C is optional and broadcasts to
// the result. With alpha and beta 1 integers wrap; otherwise they are scaled in double and converted as Cast does.
#include "host_fallback/op.h"
#include "host_fallback/matrix_product.h"
#include "host_fallback/number_cast.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = FLOATS | I32 | I64 | U32 | U64;

struct Extents {
  int64_t m, n, k;
};

Extents extents_of(const Attributes& attrs, const Shape& a, const Shape& b) {
  if (a.rank() != 2 || b.rank() != 2)
    fail(DBK_INVALID_ARGUMENT, "A {} and B {} are not matrices", to_string(a), to_string(b));
  const bool trans_a = attrs.integer("transA") != 0, trans_b = attrs.integer("transB") != 0;
  const Extents e{a[trans_a ? 1 : 0], b[trans_b ? 0 : 1], a[trans_a ? 0 : 1]};
  const int64_t k = b[trans_b ? 1 : 0];
  if (k != e.k)
    fail(DBK_INVALID_ARGUMENT, "inner extents differ, {} and {}: A {} (transA {}), B {} (transB {})", e.k, k,
         to_string(a), trans_a, to_string(b), trans_b);
  return e;
}

void infer(Infer& infer) {
  const Extents e = extents_of(infer.attrs(), infer.shape(0), infer.shape(1));
  const Shape out{e.m, e.n};
  if (infer.has(2) && (infer.shape(2).rank() > 2 || broadcast(infer.shape(2), out) != out))
    fail(DBK_INVALID_ARGUMENT, "C of shape {} does not broadcast to {}", to_string(infer.shape(2)), to_string(out));
  infer.out(0, infer.in(0).dtype, out);
}

template <class T>
struct Finish {
  double alpha, beta;
  T operator()(Ring<T> sum, T c) const {
    if (alpha == 1 && beta == 1) return static_cast<T>(sum + static_cast<Ring<T>>(c));
    if constexpr (std::is_integral_v<T>)
      return saturate<T>(alpha * static_cast<double>(static_cast<T>(sum)) + beta * static_cast<double>(c));
    else
      return static_cast<T>(static_cast<Acc<T>>(alpha) * sum + static_cast<Acc<T>>(beta) * static_cast<Acc<T>>(c));
  }
};

template <class T>
void multiply(const Extents& e, const Compute& c, T* out) {
  const bool trans_a = c.attrs().integer("transA") != 0, trans_b = c.attrs().integer("transB") != 0;
  const Finish<T> finish{c.attrs().real("alpha"), c.has(2) ? c.attrs().real("beta") : 1.0};
  const MatrixProduct<T> p{e.m,
                           e.n,
                           e.k,
                           c.in(0).as<T>(),
                           c.in(1).as<T>(),
                           trans_a ? 1 : e.k,
                           trans_a ? e.m : 1,
                           trans_b ? 1 : e.n,
                           trans_b ? e.k : 1};
  const Shape strides = c.has(2) ? broadcast_strides(c.in(2).shape(), {e.m, e.n}) : Shape{0, 0};
  static constexpr T kNothing{};
  const T* addend = c.has(2) ? c.in(2).as<T>() : &kNothing;
  const int64_t row = strides[0], column = strides[1];
  const Tiling<T> tiling(p);
  parallel_ranges(tiling.count, tiling.grain(p), [=](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task)
      tiling.run(p, task, [=](int64_t i, int64_t j, Ring<T> sum) {
        out[i * p.n + j] = finish(sum, addend[i * row + j * column]);
      });
  });
}

void compute(Compute& c) {
  const Extents e = extents_of(c.attrs(), c.in(0).shape(), c.in(1).shape());
  if (e.m == 0 || e.n == 0) return;
  with_type<kTypes>(c.in(0).type.dtype, [&]<class T>() { multiply<T>(e, c, c.out(0).as<T>()); });
}

}  // namespace

extern constinit const HostOp host_gemm{kTypes, 0, infer, compute};

}  // namespace dbk
