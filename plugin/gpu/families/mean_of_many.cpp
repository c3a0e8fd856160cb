// Mean of more than two operands: a dispatch per operand adds it to sums in f32 (kernels/mean_of_many.wgsl), the last one makes the result
// of them, which is rounded once (kernels/mean_of_sums.wgsl).
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/two_operands.h"

namespace dbk::gpu {

namespace {

struct AddParams {  // dimensions follow
  uint32_t count, first, pad[2];
};
struct MeanParams {
  uint32_t count;
  float share, large_share;
  uint32_t pad;
};
static_assert(sizeof(AddParams) == 16 && sizeof(MeanParams) == 16);

enum : uint32_t { kAdd, kMean };

StridedLoop<1> loop_of(const TypedNode& node, size_t i) {
  const Shape& out = node.outputs[0].shape;
  return {out, {broadcast_strides(node.inputs[i].shape, out)}};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (node.op->id != "mean") return "more than two operands have no kernel";
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (std::string reason = refuse_rank(loop_of(node, i)); !reason.empty()) return reason;
  return {};
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const uint32_t dims = dims_for(node.outputs[0].shape.rank());
  ProgramText add, mean;
  add.constant("dims", dims).arithmetic(dtype).reads(dtype).file("mean_of_many").file("_indices").file("_places").file("_divide");
  mean.arithmetic(dtype).writes(dtype).file("mean_of_sums");
  out.push_back({std::format("mean/add/{}/{}d", to_string(dtype), dims), add, 1, 1});
  out.push_back({std::format("mean/of sums/{}", to_string(dtype)), mean, 1, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const Argument sums = scratch(0, static_cast<uint64_t>(count) * 8);
  for (uint32_t i = 0; i < node.inputs.size(); ++i) {
    std::vector<std::byte> params = to_params(AddParams{to_u32(count), i == 0, {}});
    append_dims(params, loop_of(node, i), dims_for(node.outputs[0].shape.rank()));
    out.push_back({kAdd, {input(i), sums}, grid_of(ceil_div(count, kGroupSize), caps), std::move(params)});
  }
  const double share = 1.0 / static_cast<double>(node.inputs.size());
  const MeanParams params{to_u32(count), static_cast<float>(share), static_cast<float>(share * 65536), 0};
  out.push_back({kMean, {sums, output(0)}, grid_of(ceil_div(invocations(count, node.inputs[0].dtype), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kMeanOfMany{"mean_of_many", refuse, programs, launch};

}  // namespace dbk::gpu
