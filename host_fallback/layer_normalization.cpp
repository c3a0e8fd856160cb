// LayerNormalization: normalization.h has it all.
#include "host_fallback/normalization.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "layer_normalization";
void infer(Infer& i) { infer_normalization(normalization_of(kId), i); }
void compute(Compute& c) { compute_normalization(normalization_of(kId), c); }

}  // namespace

extern constinit const HostOp host_layer_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk
