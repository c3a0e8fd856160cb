// InstanceNormalization and GroupNormalization: the channels of [batch, channels, spatial...] are normalised in groups, those
// of InstanceNormalization alone; scale and bias belong to channels or, before version 21 of GroupNormalization, to groups.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

struct ChannelGroups {
  int64_t batch, groups, channels, inner;  // channels: of one group; inner: elements of one channel
  bool factors_of_groups;                  // scale and bias are those of groups
  int64_t factors() const { return factors_of_groups ? groups : groups * channels; }
};

// GroupNormalization where the node has num_groups. Throws INVALID_ARGUMENT where it does not divide the channels.
ChannelGroups channel_groups(const Attributes& attrs, uint32_t version, const Shape& x);

void infer_groups(Infer& infer);
void compute_groups(Compute& c);

}  // namespace dbk
