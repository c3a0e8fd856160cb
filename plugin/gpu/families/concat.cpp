// Concat: one box per input, dense on the input's side, at the output's strides on the other.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kDims = 2;  // what lies before the axis is one dimension, the rest the other

uint32_t axis_of(const TypedNode& node) {
  return normalize_axis(node.attrs->integer("axis"), node.outputs[0].shape.rank());
}

Box box_of(const TypedNode& node, size_t i, int64_t before) {
  const Shape& in = node.inputs[i].shape;
  const Shape out = dense_strides(node.outputs[0].shape);
  return {{in, {dense_strides(in), out}}, 0, before * out[axis_of(node)]};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  move_programs(node.inputs[0].dtype, kDims, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  int64_t before = 0;
  for (uint32_t i = 0; i < node.inputs.size(); ++i) {
    push_move(box_of(node, i, before), node.inputs[0].dtype, kDims, i, caps, out);
    before += node.inputs[i].shape[axis_of(node)];
  }
}

}  // namespace

constinit const Family kConcat{"concat", refuse, programs, launch};

}  // namespace dbk::gpu
