// The elements of a TensorProto as the ABI wants them: dense bytes, in place where the message (or a mapped file) holds
// them so already, converted where it spreads them over wider numbers.
#pragma once

#include <onnx/onnx_pb.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "daybreak_dims.hpp"

namespace host {

class ExternalData;

struct TensorData {
  uint32_t dtype = DBK_DTYPE_NONE;
  daybreak::Dims dims;
  std::span<const std::byte> bytes;                     // unless of strings
  std::shared_ptr<const std::vector<std::byte>> owned;  // where `bytes` lies, unless in the message or in a mapped file
  std::vector<std::string> strings;                     // of dtype STRING

  uint64_t size() const;  // bytes, those of the strings' text included
};

// Valid as long as the message and `external`, which may be null where files beside the message are not wanted.
// Throws daybreak::Error that does not name the tensor: the caller knows the place.
TensorData read_tensor(const onnx::TensorProto& tensor, ExternalData* external);

// Dense, zero where no value is given. Refused where that would take more than 256 MiB.
TensorData read_sparse_tensor(const onnx::SparseTensorProto& tensor, ExternalData* external);

}  // namespace host
