// GatherElements: kernels/_gather_elements.wgsl; a bad index is reported.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

namespace {

struct Params {  // dimensions follow
  uint32_t count, extent, step, pad;
};
static_assert(sizeof(Params) == 16);

uint32_t axis_of(const TypedNode& node) {
  return normalize_axis(node.attrs->integer("axis"), node.inputs[0].shape.rank());
}

StridedLoop<1> loop_of(const TypedNode& node) {
  Shape strides = dense_strides(node.inputs[0].shape);
  strides[axis_of(node)] = 0;
  return {node.outputs[0].shape, {strides}};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_rank(loop_of(node));
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const uint32_t dims = dims_for(node.outputs[0].shape.rank());
  const char* index = to_string(node.inputs[1].dtype);
  ProgramText text;
  text.constant("dims", dims).moves(dtype).file("_gather_elements").file("_fault").file(std::format("_gather_{}", index)).file("_divide");
  out.push_back({std::format("gather_elements/{}/{}/{}d", moved_name(dtype), index, dims), text, 2, 2});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const Shape& in = node.inputs[0].shape;
  const uint32_t axis = axis_of(node);
  std::vector<std::byte> params = to_params(Params{to_u32(count), to_u32(in[axis]), to_u32(dense_strides(in)[axis]), 0});
  append_dims(params, loop_of(node), dims_for(node.outputs[0].shape.rank()));
  out.push_back({0,
                 {input(0), input(1), output(0), fault_of(1)},
                 grid_of(ceil_div(invocations(count, node.inputs[0].dtype), kGroupSize), caps),
                 std::move(params)});
}

}  // namespace

constinit const Family kGatherElements{"gather_elements", refuse, programs, launch};

}  // namespace dbk::gpu
