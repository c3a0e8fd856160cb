// Element-wise ops of two operands, with broadcasting, whose results are bools: kernels/_binary_strided.wgsl with the functor
// kernels/<op>.wgsl.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/two_operands.h"

namespace dbk::gpu {

namespace {

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_rank(broadcast_loop(node));
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const uint32_t dims = dims_for(node.outputs[0].shape.rank());
  ProgramText text;
  text.constant("dims", dims).arithmetic(dtype).reads(dtype).alias("made", "bool").writes(DBK_BOOL);
  text.file("_binary_strided").file("_binary_apply").file("_places").file("_divide").file(node.op->id);
  out.push_back({std::format("{}/{}/{}d", node.op->id, to_string(dtype), dims), text, 2, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.outputs[0].shape;
  const int64_t count = shape.count();
  if (count == 0) return;
  std::vector<std::byte> params = to_params(StridedParams{to_u32(count), {}});
  append_dims(params, broadcast_loop(node), dims_for(shape.rank()));
  out.push_back({0, {input(0), input(1), output(0)}, grid_of(ceil_div(invocations(count, DBK_BOOL), kGroupSize), caps), std::move(params)});
}

}  // namespace

constinit const Family kCompare{"compare", refuse, programs, launch};

}  // namespace dbk::gpu
