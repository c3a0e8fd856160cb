// Drift (drift.h) of attention. The error of a score, from its product of q and k, its scale, cap and mask, changes the weight of
// its key by as much, relatively; so do rounding score - largest, the exponential, and each later rescaling of the sums. A weight's
// error reaches the result through its own term and through the total. On top come the sums of weights and of weighted values, as
// any sum.
#pragma once

#include "host_fallback/attention_geometry.h"
#include "tests/ops/oracle.h"

namespace ops {

// Of the result, and of the scores where they are kept; caches that are handed on are copies and have none.
void add_drift_of_attention(const dbk::AttentionGeometry& geometry, std::span<const dbk::HostTensor> inputs, std::vector<Expected>& expected);

}  // namespace ops
