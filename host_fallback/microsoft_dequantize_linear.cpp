// DequantizeLinear of com.microsoft: ONNX's, with types that came to ONNX later.
#include "host_fallback/quantize_linear.h"

namespace dbk {

extern constinit const HostOp host_microsoft_dequantize_linear{I8 | U8 | I16 | U16 | I32 | I4 | U4, 0,
                                                               infer_dequantize_linear, compute_dequantize_linear};

}  // namespace dbk
