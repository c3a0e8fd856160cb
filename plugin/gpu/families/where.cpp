// Where: kernels/_where.wgsl, every broadcast by strides.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

namespace {

struct Params {  // dimensions follow
  uint32_t count, pad[3];
};
static_assert(sizeof(Params) == 16);

StridedLoop<3> loop_of(const TypedNode& node) {
  const Shape& out = node.outputs[0].shape;
  return {out,
          {broadcast_strides(node.inputs[0].shape, out), broadcast_strides(node.inputs[1].shape, out),
           broadcast_strides(node.inputs[2].shape, out)}};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 1); !reason.empty()) return reason;
  if (std::string reason = refuse_move(node.inputs[1].dtype); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_rank(loop_of(node));
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[1].dtype;
  const uint32_t dims = dims_for(node.outputs[0].shape.rank());
  ProgramText text;
  text.constant("dims", dims).moves(dtype).file("_where").file("_divide");
  out.push_back({std::format("where/{}/{}d", moved_name(dtype), dims), text, 3, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.outputs[0].shape;
  const int64_t count = shape.count();
  if (count == 0) return;
  std::vector<std::byte> params = to_params(Params{to_u32(count), {}});
  append_dims(params, loop_of(node), dims_for(shape.rank()));
  out.push_back(
      {0, {input(0), input(1), input(2), output(0)}, grid_of(ceil_div(invocations(count, node.inputs[1].dtype), kGroupSize), caps), std::move(params)});
}

}  // namespace

constinit const Family kWhere{"where", refuse, programs, launch};

}  // namespace dbk::gpu
