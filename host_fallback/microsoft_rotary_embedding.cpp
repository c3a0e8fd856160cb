// com.microsoft.RotaryEmbedding: positions are always given, all of them or the first.
#include "host_fallback/rotary_geometry.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "microsoft_rotary_embedding";
void infer(Infer& i) { infer_rotary(kId, i); }
void compute(Compute& c) { compute_rotary(kId, c); }

}  // namespace

extern constinit const HostOp host_microsoft_rotary_embedding{FLOATS, 0, infer, compute};

}  // namespace dbk
