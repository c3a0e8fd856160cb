// Names read and made; see node_names.h.
#include "node_names.h"

namespace host {
namespace {

using Visit = std::function<void(const std::string&)>;

void read_by_body(const onnx::GraphProto& body, const Visit& visit) {
  const std::unordered_set<std::string> own = names_made(body);
  const Visit outer = [&](const std::string& name) {
    if (!own.contains(name)) visit(name);
  };
  for (const onnx::NodeProto& node : body.node()) for_each_name_read(node, outer);
  for (const onnx::ValueInfoProto& output : body.output()) outer(output.name());
}

}  // namespace

std::unordered_set<std::string> names_made(const onnx::GraphProto& graph) {
  std::unordered_set<std::string> names;
  for (const onnx::ValueInfoProto& input : graph.input()) names.insert(input.name());
  for (const onnx::TensorProto& tensor : graph.initializer()) names.insert(tensor.name());
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) names.insert(tensor.values().name());
  for (const onnx::NodeProto& node : graph.node()) names.insert(node.output().begin(), node.output().end());
  return names;
}

void for_each_name_read(const onnx::NodeProto& node, const Visit& visit) {
  for (const std::string& name : node.input()) {
    if (!name.empty()) visit(name);
  }
  for_each_body(node, [&](const onnx::GraphProto& body) { read_by_body(body, visit); });
}

}  // namespace host
