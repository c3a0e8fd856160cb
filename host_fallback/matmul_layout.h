// How operands of matmul ops meet: NumPy's rules. 1-D operands are promoted to matrices and lose that axis again;
// leading axes broadcast.
#pragma once

#include "host_fallback/shape.h"

namespace dbk {

struct MatmulLayout {
  int64_t m, n, k;
  Shape batch, batch_a, batch_b;                   // leading axes of the result and of the operands
  bool row_vector = false, column_vector = false;  // A or B has one axis
  Shape result() const {
    Shape out = matrices();
    if (column_vector) out.resize(out.rank() - 1);
    if (!row_vector) return out;
    if (!column_vector) out[out.rank() - 2] = out[out.rank() - 1];
    out.resize(out.rank() - 1);
    return out;
  }
  // The result before it loses axes: [batch..., m, n].
  Shape matrices() const {
    Shape out = batch;
    out.push_back(m);
    out.push_back(n);
    return out;
  }
};

// Throws INVALID_ARGUMENT where the shapes do not fit.
inline MatmulLayout matmul_layout(const Shape& a, const Shape& b) {
  if (a.rank() == 0 || b.rank() == 0)
    fail(DBK_INVALID_ARGUMENT, "operands of rank 0: {} and {}", to_string(a), to_string(b));
  MatmulLayout l;
  l.row_vector = a.rank() == 1;
  l.column_vector = b.rank() == 1;
  l.m = l.row_vector ? 1 : a[a.rank() - 2];
  l.k = a[a.rank() - 1];
  l.n = l.column_vector ? 1 : b[b.rank() - 1];
  const int64_t k = l.column_vector ? b[0] : b[b.rank() - 2];
  if (k != l.k)
    fail(DBK_INVALID_ARGUMENT, "inner extents differ, {} and {}, in shapes {} and {}", l.k, k, to_string(a),
         to_string(b));
  for (uint32_t d = 0; d + 2 < a.rank(); ++d) l.batch_a.push_back(a[d]);
  for (uint32_t d = 0; d + 2 < b.rank(); ++d) l.batch_b.push_back(b[d]);
  l.batch = broadcast(l.batch_a, l.batch_b);
  return l;
}

}  // namespace dbk
