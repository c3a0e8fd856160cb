// AveragePool: the mean of each window, of all its taps or of those inside the input (count_include_pad).
#include "host_fallback/pooling.h"

namespace dbk {

extern constinit const HostOp host_average_pool{FLOATS, 0, infer_pool, compute_pool<FLOATS, AverageOfPool>};

}  // namespace dbk
