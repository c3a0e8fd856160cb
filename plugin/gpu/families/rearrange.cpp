// DepthToSpace and SpaceToDepth: the output in order, the input at the strides of axes that are split and reordered.
#include "host_fallback/space_and_depth.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kDims = 6;

Box box_of(const TypedNode& node) {
  const Shape& in = node.inputs[0].shape;
  const SplitAxes axes = node.op->id == "depth_to_space" ? depth_to_space_axes(*node.attrs, in) : space_to_depth_axes(*node.attrs, in);
  return {{axes.extents, {axes.strides, dense_strides(axes.extents)}}};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  move_programs(node.inputs[0].dtype, kDims, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  push_move(box_of(node), node.inputs[0].dtype, kDims, 0, caps, out);
}

}  // namespace

constinit const Family kRearrange{"rearrange", refuse, programs, launch};

}  // namespace dbk::gpu
