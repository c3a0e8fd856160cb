// ScatterElements and ScatterND without a reduction: the data is copied, then kernels/_scatter_elements.wgsl or
// kernels/_scatter_nd.wgsl writes the updates over it, one element per invocation; a bad index sets the fault word. Reductions
// would need atomics, which exist for few types.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct ElementParams {  // dimensions follow
  uint32_t count, extent, step, pad;
};
struct TupleParams {  // indexed axes follow
  uint32_t count, inner;
  float inner_inverse;
  uint32_t pad;
};
struct Axis {
  uint32_t extent, stride, pad[2];
};
static_assert(sizeof(ElementParams) == 16 && sizeof(TupleParams) == 16 && sizeof(Axis) == 16);

constexpr uint32_t kCopyDims = 1, kUpdates = 2;  // the program behind the two of the copy

bool by_tuples(const TypedNode& node) { return node.op->id == "scatter_nd"; }
uint32_t axis_of(const TypedNode& node) { return normalize_axis(node.attrs->integer("axis"), node.inputs[0].shape.rank()); }
uint32_t depth_of(const TypedNode& node) { return to_u32(node.inputs[1].shape[node.inputs[1].shape.rank() - 1]); }

StridedLoop<1> loop_of(const TypedNode& node) {
  Shape strides = dense_strides(node.inputs[0].shape);
  strides[axis_of(node)] = 0;
  return {node.inputs[1].shape, {strides}};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  if (node.attrs->has("reduction") && node.attrs->text("reduction") != "none")
    return std::format("no kernel scatters with reduction '{}'", node.attrs->text("reduction"));
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  if (!by_tuples(node)) return refuse_rank(loop_of(node));
  const uint32_t depth = depth_of(node);
  return depth >= 1 && depth <= kMaxDims ? "" : std::format("no kernel reads coordinates of {} numbers", depth);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  move_programs(dtype, kCopyDims, out);
  ProgramText text;
  text.bits(dtype).file("_divide");
  if (by_tuples(node)) {
    text.constant("depth", depth_of(node)).file("_scatter_nd");
    out.push_back({std::format("scatter_nd/{}/{}", bits_of(dtype), depth_of(node)), text.str(), 2, 2});
    return;
  }
  const uint32_t dims = dims_for(node.inputs[0].shape.rank());
  const char* index = to_string(node.inputs[1].dtype);
  text.constant("dims", dims).file("_scatter_elements").file(std::format("_gather_{}", index));
  out.push_back({std::format("scatter_elements/{}/{}/{}d", bits_of(dtype), index, dims), text.str(), 2, 2});
}

std::vector<std::byte> tuple_params(const TypedNode& node, int64_t count) {
  const Shape &data = node.inputs[0].shape, strides = dense_strides(data);
  const uint32_t depth = depth_of(node);
  int64_t inner = 1;
  for (uint32_t d = depth; d < data.rank(); ++d) inner *= data[d];
  std::vector<std::byte> params = to_params(TupleParams{to_u32(count), to_u32(inner), inverse_of(inner), 0});
  for (uint32_t d = 0; d < depth; ++d) {
    const std::vector<std::byte> axis = to_params(Axis{to_u32(data[d]), to_u32(strides[d]), {}});
    params.insert(params.end(), axis.begin(), axis.end());
  }
  return params;
}

std::vector<std::byte> element_params(const TypedNode& node, int64_t count) {
  const Shape& data = node.inputs[0].shape;
  const uint32_t axis = axis_of(node);
  std::vector<std::byte> params = to_params(ElementParams{to_u32(count), to_u32(data[axis]), to_u32(dense_strides(data)[axis]), 0});
  append_dims(params, loop_of(node), dims_for(data.rank()));
  return params;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t elements = node.outputs[0].count(), count = node.inputs[2].count();
  push_move({{Shape{elements}, {Shape{1}, Shape{1}}}}, node.inputs[0].dtype, kCopyDims, 0, caps, out);
  if (count == 0) return;
  out.push_back({kUpdates,
                 {input(1), input(2), output(0), {Argument::Kind::Fault}},
                 grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps),
                 by_tuples(node) ? tuple_params(node, count) : element_params(node, count)});
}

}  // namespace

constinit const Family kScatter{"scatter", refuse, programs, launch};

}  // namespace dbk::gpu
