// How operands of f32 lie in memory, in oneDNN's words.
#pragma once

#include <dnnl.hpp>

namespace dbk {

// Steps in elements, the last axis innermost.
inline dnnl::memory::dims onednn_dense_strides(const dnnl::memory::dims& dims) {
  dnnl::memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

inline dnnl::memory::desc stored(const dnnl::memory::dims& dims, const dnnl::memory::dims& strides) {
  return {dims, dnnl::memory::data_type::f32, strides};
}

inline dnnl::memory::desc stored_densely(const dnnl::memory::dims& dims) { return stored(dims, onednn_dense_strides(dims)); }

}  // namespace dbk
