// Ops whose output repeats the input: Expand and Tile. The output in order, the input at strides of 0 where it repeats; Tile
// walks every axis as two, repetitions and extent.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"

namespace dbk::gpu {

namespace {

bool tiles(const TypedNode& node) { return node.op->id == "tile"; }

Box tile_box(const Shape& in, const Shape& out) {
  const Shape dense = dense_strides(in);
  Shape extents, strides;
  for (uint32_t d = 0; d < in.rank(); ++d) {
    for (int64_t extent : {in[d] > 0 ? out[d] / in[d] : 0, in[d]}) extents.push_back(extent);
    for (int64_t stride : {int64_t{0}, dense[d]}) strides.push_back(stride);
  }
  return {{extents, {strides, dense_strides(extents)}}};
}

Box box_of(const TypedNode& node) {
  const Shape& out = node.outputs[0].shape;
  if (tiles(node)) return tile_box(node.inputs[0].shape, out);
  return {{out, {broadcast_strides(node.inputs[0].shape, out), dense_strides(out)}}};
}

uint32_t dims_of(const TypedNode& node) { return dims_for(node.outputs[0].shape.rank() * (tiles(node) ? 2 : 1)); }

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  if (2 * node.inputs[0].shape.rank() > DBK_MAX_RANK && tiles(node)) return "no kernel walks so many axes";
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
