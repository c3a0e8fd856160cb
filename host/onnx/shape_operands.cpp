// Follows shape operands backwards through a graph; see shape_operands.h.
#include "shape_operands.h"

#include <string_view>
#include <unordered_map>

#include "node_names.h"
#include "opsets.h"

namespace host {
namespace {

using Names = std::unordered_set<std::string>;

constexpr uint32_t from(unsigned first) { return ~0u << first; }
constexpr uint32_t at(unsigned index) { return 1u << index; }

// Inputs, as bits, whose values decide the shape of an output. Versions that have an attribute instead have no such
// input.
uint32_t deciding_inputs(const onnx::NodeProto& node) {
  static const std::unordered_map<std::string_view, uint32_t> ops{{"Reshape", at(1)},
                                                                  {"Expand", at(1)},
                                                                  {"Tile", at(1)},
                                                                  {"Slice", from(1)},
                                                                  {"Split", at(1)},
                                                                  {"SplitToSequence", at(1)},
                                                                  {"Squeeze", at(1)},
                                                                  {"Unsqueeze", at(1)},
                                                                  {"ConstantOfShape", at(0)},
                                                                  {"Range", from(0)},
                                                                  {"OneHot", at(1)},
                                                                  {"TopK", at(1)},
                                                                  {"Pad", at(1) | at(3)},
                                                                  {"CenterCropPad", at(1)},
                                                                  {"Resize", from(1)},
                                                                  {"Upsample", at(1)},
                                                                  {"Col2Im", at(1) | at(2)},
                                                                  {"MaxUnpool", at(2)},
                                                                  {"AffineGrid", at(1)},
                                                                  {"DFT", at(1) | at(2)},
                                                                  {"STFT", at(1) | at(3)},
                                                                  {"MelWeightMatrix", from(0)},
                                                                  {"HannWindow", at(0)},
                                                                  {"HammingWindow", at(0)},
                                                                  {"BlackmanWindow", at(0)},
                                                                  {"Loop", at(0)}};
  if (!plain_domain(node.domain()).empty()) return 0;
  if (node.op_type().starts_with("Reduce")) return at(1);
  const auto known = ops.find(node.op_type());
  return known == ops.end() ? 0 : known->second;
}

// The result of these depends on the extents of their input, never on its elements.
bool reads_only_extents(const onnx::NodeProto& node) {
  return plain_domain(node.domain()).empty() && (node.op_type() == "Shape" || node.op_type() == "Size");
}

// Adds to `wanted` what the nodes need; the bodies of a node whose result is wanted need all they read.
void follow(const Nodes& nodes, Names& wanted) {
  for (int i = nodes.size(); i-- > 0;) {
    const onnx::NodeProto& node = nodes[i];
    bool decides = false;
    for (const std::string& name : node.output()) decides = decides || wanted.contains(name);
    if (decides && !reads_only_extents(node))
      for_each_name_read(node, [&](const std::string& name) { wanted.insert(name); });
    const uint32_t inputs = deciding_inputs(node);
    for (int k = 0; k < node.input_size(); ++k) {
      if (k < 32 && (inputs >> k & 1u)) wanted.insert(node.input(k));
    }
    for_each_body(node, [&](const onnx::GraphProto& body) { follow(body.node(), wanted); });
  }
}

}  // namespace

Names shape_operands(const Nodes& nodes) {
  Names wanted;
  follow(nodes, wanted);
  return wanted;
}

}  // namespace host
