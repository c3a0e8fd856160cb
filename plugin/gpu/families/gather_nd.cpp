// GatherND: kernels/_gather_nd.wgsl, one element or 16 bytes of a long enough run per invocation; a bad index is
// reported.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

namespace {

struct Params {  // indexed axes follow
  uint32_t count, inner;
  float inner_inverse;
  uint32_t per_batch;
  float per_batch_inverse;
  uint32_t batch_stride, pad[2];
};
struct Axis {
  uint32_t extent, stride, pad[2];
};
static_assert(sizeof(Params) == 32 && sizeof(Axis) == 16);

enum : uint32_t { kWide, kNarrow };  // programs

uint32_t batch_of(const TypedNode& node) { return static_cast<uint32_t>(node.attrs->integer_or("batch_dims", 0)); }
uint32_t depth_of(const TypedNode& node) {
  const Shape& indices = node.inputs[1].shape;
  return to_u32(indices[indices.rank() - 1]);
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  if (depth_of(node) > kMaxDims) return std::format("no kernel reads coordinates of {} numbers", depth_of(node));
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const uint32_t depth = depth_of(node);
  for (uint32_t program : {kWide, kNarrow}) {
    ProgramText text;
    text.constant("depth", depth);
    program == kWide ? text.moves_vectors() : text.moves(dtype);
    text.file("_gather_nd").file("_fault").file("_divide");
    out.push_back({std::format("gather_nd/{}/{}", program == kWide ? "128" : moved_name(dtype), depth), text, 2, 2});
  }
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape &in = node.inputs[0].shape, strides = dense_strides(in);
  if (node.outputs[0].count() == 0) return;
  const uint32_t batch = batch_of(node), depth = depth_of(node);
  int64_t batches = 1, inner = 1;
  for (uint32_t d = 0; d < batch; ++d) batches *= in[d];
  for (uint32_t d = batch + depth; d < in.rank(); ++d) inner *= in[d];
  const int64_t elements = 128 / bits_of(node.inputs[0].dtype);
  const int64_t unit = inner % elements == 0 ? elements : 1;
  const int64_t count = node.outputs[0].count() / unit, per_batch = node.inputs[1].count() / depth / batches;
  const int64_t batch_stride = node.inputs[0].count() / batches / unit;
  std::vector<std::byte> params = to_params(Params{to_u32(count), to_u32(inner / unit), inverse_of(inner / unit), to_u32(per_batch),
                                                   inverse_of(per_batch), to_u32(batch_stride), {}});
  for (uint32_t d = batch; d < batch + depth; ++d) {
    const std::vector<std::byte> axis = to_params(Axis{to_u32(in[d]), to_u32(strides[d] / unit), {}});
    params.insert(params.end(), axis.begin(), axis.end());
  }
  out.push_back({unit > 1 ? kWide : kNarrow,
                 {input(0), input(1), output(0), fault_of(1)},
                 grid_of(ceil_div(unit > 1 ? static_cast<uint64_t>(count) : invocations(count, node.inputs[0].dtype), kGroupSize), caps),
                 std::move(params)});
}

}  // namespace

constinit const Family kGatherND{"gather_nd", refuse, programs, launch};

}  // namespace dbk::gpu
