// Drift (drift.h) of the normalisations: y = normal * scale + bias. The row counts the last addition, all before it are relative to
// |normal * scale|. On the CPU: two subtractions, the inverse, two products. On a GPU the same with the steps of the variance, WGSL's
// division and root, half the drift of the sum of squares (by the root), and that of the mean. Where x is a sum, its roundings move x
// and through it mean and deviation.
#pragma once

#include "tests/ops/oracle.h"

namespace ops {

// `inputs` in double. `expected` are the outputs that the case has.
void add_drift_of_normalization(const dbk::OpRow& row, const OpCase& test, std::span<const dbk::HostTensor> inputs, Kind kind,
                                std::vector<Expected>& expected);

}  // namespace ops
