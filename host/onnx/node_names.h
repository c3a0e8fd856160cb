// Which names a node reads and makes, the bodies of control flow included.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>
#include <unordered_set>

namespace host {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// Calls `visit` for each graph among the node's attributes.
template <class Visit>
void for_each_body(const onnx::NodeProto& node, Visit&& visit) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) visit(attribute.g());
    for (const onnx::GraphProto& graph : attribute.graphs()) visit(graph);
  }
}

// Every name that a graph itself gives a value: inputs, initialisers, outputs of nodes.
std::unordered_set<std::string> names_made(const onnx::GraphProto& graph);

// Calls `visit` for each name that a node reads from outside: its inputs, and what its bodies take from around them.
void for_each_name_read(const onnx::NodeProto& node, const std::function<void(const std::string&)>& visit);

}  // namespace host
