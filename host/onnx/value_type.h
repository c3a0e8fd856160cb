// The type of a value as a model declares it.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>

#include "daybreak.h"

namespace host {

struct ValueType {
  uint32_t kind = DBK_KIND_TENSOR;
  uint32_t dtype = DBK_DTYPE_NONE;                // not stated
  const onnx::TensorShapeProto* shape = nullptr;  // not stated; of the tensors inside where the kind is another
};

// Throws daybreak::Error for what the ABI does not carry: maps, sparse tensors, sequences of sequences.
ValueType read_type(const onnx::TypeProto& type);

}  // namespace host
