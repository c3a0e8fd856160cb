// RotaryEmbedding of ONNX: caches by position, or one row for each token.
#include "host_fallback/rotary_geometry.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "rotary_embedding";
void infer(Infer& i) { infer_rotary(kId, i); }
void compute(Compute& c) { compute_rotary(kId, c); }

}  // namespace

extern constinit const HostOp host_rotary_embedding{FLOATS, 0, infer, compute};

}  // namespace dbk
