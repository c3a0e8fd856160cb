// What f16 does to products with a weight: columns of it times rows that are made up, as the `coop` kernels compute them and in double.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

struct F16Effect {
  double error = 0;      // the largest difference, as a part of the product of the norms of row and column
  double vanishing = 0;  // share of the elements, zeros aside, that become zero beside the largest of their column
};

// Some columns of a weight, as numbers: groups of neighbours, spread evenly. Their number depends on the extents alone, and is such that the
// work stays the same, whatever these are; of very long columns the beginning is enough.
using SampledColumns = std::vector<std::vector<float>>;
SampledColumns sampled_columns(const Rounding& rounding, const std::byte* data);  // `data` holds the weight, dense

F16Effect f16_effect(const SampledColumns& columns, OperandForm form);

// Elements of the weight, `count` from `first` on, as numbers.
void read_weight(const Rounding& rounding, const std::byte* data, int64_t first, int64_t count, float* out);

}  // namespace dbk::gpu
