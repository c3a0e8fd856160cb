// SplitMatMul (made by passes): MatMul whose columns go to several tensors, `widths` of them to each, from left to right.
#include "host_fallback/column_parts.h"
#include "host_fallback/matmul_batches.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const MatmulLayout l = matmul_layout(infer.shape(0), infer.shape(1));
  const ColumnParts parts = column_parts(infer.attrs());
  if (l.column_vector || parts.count != infer.output_count() || parts.total() != l.n)
    fail(DBK_INVALID_ARGUMENT, "{} widths that add up to {}, for {} results of {} columns", parts.count, parts.total(), infer.output_count(), l.n);
  Shape shape = l.result();
  for (size_t i = 0; i < parts.count; ++i) {
    shape[shape.rank() - 1] = parts.width[i];
    infer.out(i, infer.in(0).dtype, shape);
  }
}

template <class T>
struct PartStore {
  std::array<T*, ColumnParts::kMost> out{};
  ColumnParts parts;

  void operator()(int64_t row, int64_t column, Ring<T> sum) const {
    const size_t i = column < parts.first(1) ? 0 : column < parts.first(2) ? 1 : 2;
    out[i][row * parts.width[i] + column - parts.first(i)] = static_cast<T>(sum);
  }
};

void compute(Compute& c) {
  const MatmulLayout l = matmul_layout(c.in(0).shape(), c.in(1).shape());
  if (l.matrices().count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    PartStore<T> store{.parts = column_parts(c.attrs())};
    for (size_t i = 0; i < store.parts.count; ++i) store.out[i] = c.out(i).as<T>();
    multiply_batches(l, c.in(0).as<T>(), c.in(1).as<T>(), store);
  });
}

}  // namespace

extern constinit const HostOp host_split_matmul{FLOATS, 0, infer, compute};

}  // namespace dbk
