// ai.daybreak.Rotary: kernels/rotary.wgsl, one element per invocation, cos and sin broadcast by strides.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

namespace {

struct Params {  // dimensions follow
  uint32_t count, period;
  float period_inverse;
  uint32_t reach;
};
static_assert(sizeof(Params) == 16);

StridedLoop<2> loop_of(const TypedNode& node) {
  const Shape& out = node.outputs[0].shape;
  return {out, {broadcast_strides(node.inputs[1].shape, out), broadcast_strides(node.inputs[2].shape, out)}};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_rank(loop_of(node));
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const uint32_t dims = dims_for(node.outputs[0].shape.rank());
  ProgramText text;
  text.constant("dims", dims).alias("elem", to_string(dtype)).file("rotary").file("_indices").file("_divide");
  out.push_back({std::format("rotary/{}/{}d", to_string(dtype), dims), text, 3, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.outputs[0].shape;
  const int64_t count = shape.count();
  if (count == 0) return;
  const int64_t size = shape[shape.rank() - 1];
  const bool interleaved = node.attrs->integer("interleaved") != 0;
  const int64_t period = interleaved ? 2 : size;
  std::vector<std::byte> params = to_params(Params{to_u32(count), to_u32(period), inverse_of(period), to_u32(period / 2)});
  append_dims(params, loop_of(node), dims_for(shape.rank()));
  out.push_back({0, {input(0), input(1), input(2), output(0)}, grid_of(ceil_div(count, kGroupSize), caps), std::move(params)});
}

}  // namespace

constinit const Family kRotary{"rotary", refuse, programs, launch};

}  // namespace dbk::gpu
