// Split: one box per output, at the input's strides on one side, dense on the other.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kDims = 2;  // what lies before the axis is one dimension, the rest the other

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  return refuse_operands(moved, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  move_programs(node.inputs[0].dtype, kDims, out);
}

// Extent of part i along the axis, also of one that nobody wants.
int64_t extent_of(const TypedNode& node, uint32_t axis, size_t i) {
  if (wants(node, i)) return node.outputs[i].shape[axis];
  if (node.has(1)) return integer_at(*node.values[1], static_cast<int64_t>(i));
  if (node.attrs->has("split")) return node.attrs->integers("split")[i];
  return static_cast<int64_t>(ceil_div(static_cast<uint64_t>(node.inputs[0].shape[axis]), node.outputs.size()));
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& in = node.inputs[0].shape;
  const uint32_t axis = normalize_axis(node.attrs->integer("axis"), in.rank());
  const Shape strides = dense_strides(in);
  int64_t before = 0;
  for (uint32_t i = 0; i < node.outputs.size(); ++i) {
    if (wants(node, i)) {
      const Shape& part = node.outputs[i].shape;
      push_move({{part, {strides, dense_strides(part)}}, before * strides[axis], 0}, node.inputs[0].dtype, kDims, 0, caps, out, i);
    }
    before += extent_of(node, axis, i);
  }
}

}  // namespace

constinit const Family kSplit{"split", refuse, programs, launch};

}  // namespace dbk::gpu
