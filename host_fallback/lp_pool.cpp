// LpPool: the p-norm of each window.
#include "host_fallback/pooling.h"

namespace dbk {

extern constinit const HostOp host_lp_pool{FLOATS, 0, infer_pool, compute_pool<FLOATS, LpOfPool>};

}  // namespace dbk
