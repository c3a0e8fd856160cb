// The products of MatMul's batch, shared by what stores them in one tensor (matmul.cpp) and in several (split_matmul.cpp).
#pragma once

#include "host_fallback/matmul_layout.h"
#include "host_fallback/matrix_product.h"
#include "host_fallback/strided.h"

namespace dbk {

// Calls store(row, column, sum) for every element, rows counted over all matrices of the result.
template <class T, class Store>
void multiply_batches(MatmulLayout l, const T* a, const T* b, const Store& store) {
  if (l.batch_b.count() == 1 &&
      l.batch_a.count() == l.batch.count()) {  // one matrix B for all: the batch is more rows of A
    l.m *= l.batch.count();
    l.batch = l.batch_a = l.batch_b = {};
  }
  const StridedLoop<2> loop(l.batch, {broadcast_strides(l.batch_a, l.batch), broadcast_strides(l.batch_b, l.batch)});
  const MatrixProduct<T> first{l.m, l.n, l.k, a, b, l.k, 1, l.n, 1};
  const Tiling<T> tiling(first);
  parallel_ranges(l.batch.count() * tiling.count, tiling.grain(first), [&loop, &tiling, &store, first](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t batch = task / tiling.count;
      const Offsets<2> at = offsets_of(loop, batch);
      MatrixProduct<T> p = first;
      p.a += at[0] * p.m * p.k;
      p.b += at[1] * p.k * p.n;
      tiling.run(p, task % tiling.count,
                 [to = store, top = batch * p.m](int64_t i, int64_t j, Ring<T> sum) { to(top + i, j, sum); });
    }
  });
}

}  // namespace dbk
