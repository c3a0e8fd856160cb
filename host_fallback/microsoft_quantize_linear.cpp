// QuantizeLinear of com.microsoft: ONNX's, with types that came to ONNX later.
#include "host_fallback/quantize_linear.h"

namespace dbk {

extern constinit const HostOp host_microsoft_quantize_linear{F32 | F16, 0, infer_quantize_linear,
                                                             compute_quantize_linear};

}  // namespace dbk
