// ai.daybreak.RotaryHeads (made by passes): queries, and keys beside them where they are given, turned by the same tables, which are
// [batch, tokens, columns] or broadcast to that, or caches by position.
#include "host_fallback/rotary_geometry.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "rotary_heads";
void infer(Infer& i) { infer_rotary(kId, i, 2); }
void compute(Compute& c) { compute_rotary(kId, c, 2); }

}  // namespace

extern constinit const HostOp host_rotary_heads{FLOATS, 0, infer, compute};

}  // namespace dbk
