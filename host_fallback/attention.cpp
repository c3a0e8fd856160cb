// Attention of ONNX: heads in an axis of their own or side by side, a cache of keys and values, masks, and on demand the scores.
// Where there is a soft cap and numbers are added as a mask, the cap follows the mask, as libonnx 1.20 defines it.
#include "host_fallback/attention_op.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "attention";
void infer(Infer& i) { infer_attention(kId, i); }
void compute(Compute& c) { compute_attention(kId, c); }
int64_t work_bytes(const Compute& c) { return attention_work_bytes(kId, c); }

}  // namespace

extern constinit const HostOp host_attention{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk
