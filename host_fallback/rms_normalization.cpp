// RMSNormalization: x / sqrt(mean of x^2 + epsilon) * scale.
#include "host_fallback/normalization.h"

namespace dbk {

namespace {

constexpr std::string_view kId = "rms_normalization";
void infer(Infer& i) { infer_normalization(normalization_of(kId), i); }
void compute(Compute& c) { compute_normalization(normalization_of(kId), c); }

}  // namespace

extern constinit const HostOp host_rms_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk
