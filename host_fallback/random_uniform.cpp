// RandomUniform: evenly distributed in [low, high).
#include "host_fallback/random.h"

namespace dbk {

extern constinit const HostOp host_random_uniform{STORED, 0, infer_random, compute_random<Uniform>};

}  // namespace dbk
