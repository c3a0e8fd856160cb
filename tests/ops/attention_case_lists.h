// Cases of the ops of the attention family, parts of the family's table.
#pragma once

#include "tests/ops/op_case.h"

namespace ops {

Cases onnx_attention_cases(const dbk::OpRow& row);
Cases multi_head_attention_cases(const dbk::OpRow& row);
Cases packed_attention_cases(const dbk::OpRow& row);

}  // namespace ops
