// com.microsoft.MultiHeadAttention: heads side by side, packed or cached; a bias of all projections, padding masks, a mask that is added.
#include "host_fallback/attention_op.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "multi_head_attention";
void infer(Infer& i) { infer_attention(kId, i); }
void compute(Compute& c) { compute_attention(kId, c); }
int64_t work_bytes(const Compute& c) { return attention_work_bytes(kId, c); }

}  // namespace

extern constinit const HostOp host_multi_head_attention{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
