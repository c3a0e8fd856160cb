// GlobalMaxPool: the largest element of each channel.
#include "host_fallback/pooling.h"

namespace dbk {

extern constinit const HostOp host_global_max_pool{FLOATS, 0, infer_global_pool, compute_global_pool<FLOATS, MaximumPool>};

}  // namespace dbk
