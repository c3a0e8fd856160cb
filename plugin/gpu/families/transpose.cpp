// Transpose: the output in order, the input at permuted strides.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"

namespace dbk::gpu {

namespace {

// The input axis behind each output axis.
std::vector<int64_t> order_of(const TypedNode& node) {
  if (node.attrs->has("perm")) return node.attrs->integers("perm");
  std::vector<int64_t> reversed;
  for (int64_t d = node.inputs[0].shape.rank(); d-- > 0;) reversed.push_back(d);
  return reversed;
}

// Runs of axes that stay neighbours: what collapsing leaves at most, whatever the extents.
uint32_t dims_of(const TypedNode& node) {
  const std::vector<int64_t> order = order_of(node);
  uint32_t runs = 1;
  for (size_t d = 1; d < order.size(); ++d) runs += order[d] != order[d - 1] + 1;
  return dims_for(runs);
}

Box box_of(const TypedNode& node) {
  const Shape& out = node.outputs[0].shape;
  const Shape dense = dense_strides(node.inputs[0].shape);
  Shape strides = dense;
  const std::vector<int64_t> order = order_of(node);
  for (uint32_t d = 0; d < strides.rank(); ++d) strides[d] = dense[static_cast<size_t>(order[d])];
  return {{out, {strides, dense_strides(out)}}};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_rank(box_of(node).loop);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  move_programs(node.inputs[0].dtype, dims_of(node), out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  push_move(box_of(node), node.inputs[0].dtype, dims_of(node), 0, caps, out);
}

}  // namespace

constinit const Family kTranspose{"transpose", refuse, programs, launch};

}  // namespace dbk::gpu
