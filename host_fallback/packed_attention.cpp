// ai.daybreak.PackedAttention, what com.microsoft.Attention is behind its product with the weights.
#include "host_fallback/attention_op.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "packed_attention";
void infer(Infer& i) { infer_attention(kId, i); }
void compute(Compute& c) { compute_attention(kId, c); }

}  // namespace

extern constinit const HostOp host_packed_attention{FLOATS, 0, infer, compute};

}  // namespace dbk
