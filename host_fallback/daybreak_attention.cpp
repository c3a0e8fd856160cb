// ai.daybreak.Attention, which fusion makes of the many nodes that exporters write: heads lie side by side in windows of the last
// axis of q, k and v, so that one packed tensor serves all three, and the result lies the same way. Each of the three may have its heads
// in an axis of their own instead, as what happens to single heads leaves them.
#include "host_fallback/attention_op.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "daybreak_attention";
void infer(Infer& i) { infer_attention(kId, i); }
void compute(Compute& c) { compute_attention(kId, c); }
int64_t work_bytes(const Compute& c) { return attention_work_bytes(kId, c); }

}  // namespace

extern constinit const HostOp host_daybreak_attention{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
