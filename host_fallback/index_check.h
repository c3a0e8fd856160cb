// Indices that are data: all are checked before anything is written; negative ones count from the end.
#pragma once

#include "host_fallback/tensor.h"

namespace dbk {

template <class I>
void check_indices(const Tensor& indices, int64_t extent) {
  const I* index = indices.as<I>();
  for (int64_t i = 0, n = indices.count(); i < n; ++i)
    if (index[i] < -extent || index[i] >= extent)
      fail(DBK_OUT_OF_RANGE, "indices has {} at position {}, which is outside [{}, {}), the extent of the axis being {}", index[i], i,
           -extent, extent, extent);
}

}  // namespace dbk
