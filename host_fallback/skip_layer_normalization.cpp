// com.microsoft.SkipLayerNormalization: LayerNormalization of input + skip + bias over the last axis, and that sum.
#include "host_fallback/normalization.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "skip_layer_normalization";
void infer(Infer& i) { infer_normalization(normalization_of(kId), i); }
void compute(Compute& c) { compute_normalization(normalization_of(kId), c); }

}  // namespace

extern constinit const HostOp host_skip_layer_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk
