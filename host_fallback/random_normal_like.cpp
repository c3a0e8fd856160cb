// RandomNormalLike: RandomNormal with the shape of an operand.
#include "host_fallback/random.h"

namespace dbk {

extern constinit const HostOp host_random_normal_like{STORED, 0, infer_random_like, compute_random<Normal>, 0, nullptr, 0b1};

}  // namespace dbk
