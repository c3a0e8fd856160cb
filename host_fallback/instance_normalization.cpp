// InstanceNormalization: every channel is a group of its own.
#include "host_fallback/group_normalization.h"
#include "host_fallback/op.h"

namespace dbk {

extern constinit const HostOp host_instance_normalization{FLOATS, 0, infer_groups, compute_groups};

}  // namespace dbk
