// RandomUniformLike: RandomUniform with the shape of an operand.
#include "host_fallback/random.h"

namespace dbk {

extern constinit const HostOp host_random_uniform_like{STORED, 0, infer_random_like, compute_random<Uniform>, 0, nullptr, 0b1};

}  // namespace dbk
