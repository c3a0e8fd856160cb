// RandomNormal: scale * z + mean, z normally distributed.
#include "host_fallback/random.h"

namespace dbk {

extern constinit const HostOp host_random_normal{STORED, 0, infer_random, compute_random<Normal>};

}  // namespace dbk
