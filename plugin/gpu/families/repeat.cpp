// Ops whose output repeats the input: Expand. The output in order, the input at strides of 0 where it repeats.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"

namespace dbk::gpu {

namespace {

Box box_of(const TypedNode& node) {
  const Shape& out = node.outputs[0].shape;
  return {{out, {broadcast_strides(node.inputs[0].shape, out), dense_strides(out)}}};
}

uint32_t dims_of(const TypedNode& node) { return dims_for(node.outputs[0].shape.rank()); }

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  return refuse_rank(box_of(node).loop);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  move_programs(node.inputs[0].dtype, dims_of(node), out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  push_move(box_of(node), node.inputs[0].dtype, dims_of(node), 0, caps, out);
}

}  // namespace

constinit const Family kRepeat{"repeat", refuse, programs, launch};

}  // namespace dbk::gpu
