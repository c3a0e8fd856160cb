// Element types of values that a model does not declare, as far as an op's schema tells them from the types of its
// inputs. Some definitions of ops by others depend on them; shapes are left to the plugin.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <vector>

namespace host {

// Of one output of a node of ONNX's default domain or another that libonnx knows; empty where nothing tells it.
onnx::TypeProto output_type(const onnx::NodeProto& node, uint32_t version, const std::vector<onnx::TypeProto>& inputs,
                            int output);

}  // namespace host
