// ai.daybreak.PackedAttention, what com.microsoft.Attention is behind its product with the weights.
#include "host_fallback/attention_op.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "packed_attention";
void infer(Infer& i) { infer_attention(kId, i); }
void compute(Compute& c) { compute_attention(kId, c); }
int64_t work_bytes(const Compute& c) { return attention_work_bytes(kId, c); }

}  // namespace

extern constinit const HostOp host_packed_attention{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
