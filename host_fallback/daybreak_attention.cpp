// ai.daybreak.Attention, which fusion makes of the many nodes that exporters write: heads lie side by side in windows of the last
// axis of q, k and v, so that one packed tensor serves all three, and the result lies the same way.
#include "host_fallback/attention_op.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "daybreak_attention";
void infer(Infer& i) { infer_attention(kId, i); }
void compute(Compute& c) { compute_attention(kId, c); }

}  // namespace

extern constinit const HostOp host_daybreak_attention{FLOATS, 0, infer, compute};

}  // namespace dbk
