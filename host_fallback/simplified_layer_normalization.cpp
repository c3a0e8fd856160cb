// SimplifiedLayerNormalization, ONNX Runtime's RMSNormalization in the default domain, with the inverse as a second output.
#include "host_fallback/normalization.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "simplified_layer_normalization";
void infer(Infer& i) { infer_normalization(normalization_of(kId), i); }
void compute(Compute& c) { compute_normalization(normalization_of(kId), c); }

}  // namespace

extern constinit const HostOp host_simplified_layer_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk
