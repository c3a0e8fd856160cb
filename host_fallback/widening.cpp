#include "host_fallback/widening.h"

#include <algorithm>

namespace dbk {

namespace {

constexpr std::string_view kComputing[] = {
    "matmul", "transposed_matmul", "gemm", "conv", "conv_transpose", "pool", "global_pool", "reduce", "softmax",
    "layer_normalization", "batch_normalization", "group_normalization", "lp_normalization", "lrn", "attention", "rotary", "rotary_embedding",
    "resize", "grid_sample", "roi_align", "cum_sum", "top_k"};

// Ops that choose one of their elements.
constexpr std::string_view kChoosing[] = {"reduce_max", "reduce_min", "max_pool", "top_k"};

constexpr DTypeSet kSmallInts = I8 | U8 | I16 | U16 | BOOL;

bool lists(std::span<const std::string_view> names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

}  // namespace

DTypeSet widened_types(const OpRow& op) {
  if ((op.gpu_dtypes & F32) == 0 || !lists(kComputing, op.family)) return 0;
  return (BF16 | (lists(kChoosing, op.id) ? kSmallInts : 0)) & ~op.gpu_dtypes;
}

DType wider_type(const OpRow& op, DType dtype) {
  if (!contains(widened_types(op), dtype)) return DBK_DTYPE_NONE;
  return contains(kSmallInts, dtype) && (op.gpu_dtypes & I32) != 0 ? DBK_I32 : DBK_F32;
}

}  // namespace dbk
