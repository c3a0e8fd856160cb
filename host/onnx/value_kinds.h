// What the outputs of a node are made of: tensors but for the few ops that make or pass on sequences and optionals. The
// ABI wants it stated; ONNX leaves it to be inferred.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <vector>

namespace host {

using Kinds = std::vector<uint32_t>;  // DBK_KIND_*

// `inputs`: kinds of the node's inputs. `bodies`: kinds of the outputs of each of its bodies.
Kinds output_kinds(const onnx::NodeProto& node, const Kinds& inputs, const std::vector<Kinds>& bodies);

}  // namespace host
