// GlobalAveragePool: the mean of each channel.
#include "host_fallback/pooling.h"

namespace dbk {

extern constinit const HostOp host_global_average_pool{FLOATS, 0, infer_global_pool, compute_global_pool<FLOATS, AverageOfPool>};

}  // namespace dbk
