// ScatterElements and ScatterND: the data is copied, then the updates are brought to it. kernels/_scatter_elements.wgsl or
// kernels/_scatter_nd.wgsl says where each goes; without a reduction each is written by itself, with one a line of them at a time,
// which takes turns. A bad index is reported.
#include "host_fallback/scatter.h"

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/functor.h"
#include "plugin/gpu/families/move.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, length, step;
  float step_inverse;
};
struct AxisParams {  // of ScatterElements; dimensions follow
  uint32_t extent, stride, pad[2];
};
struct Axis {  // an indexed one of ScatterND
  uint32_t extent, stride, pad[2];
};
static_assert(sizeof(Params) == 16 && sizeof(AxisParams) == 16 && sizeof(Axis) == 16);

constexpr uint32_t kCopyDims = 1, kUpdates = 2;  // the program behind the two of the copy
constexpr DTypeSet kReduced = F32 | F16 | I32 | U32 | I64 | U64;
constexpr int64_t kLongestLine = 1 << 16;  // beyond that taking turns is work for the host

bool by_tuples(const TypedNode& node) { return node.op->id == "scatter_nd"; }
uint32_t axis_of(const TypedNode& node) { return normalize_axis(node.attrs->integer("axis"), node.inputs[0].shape.rank()); }
uint32_t depth_of(const TypedNode& node) { return to_u32(node.inputs[1].shape[node.inputs[1].shape.rank() - 1]); }

StridedLoop<1> loop_of(const TypedNode& node) {
  Shape strides = dense_strides(node.inputs[0].shape);
  strides[axis_of(node)] = 0;
  return {node.inputs[1].shape, {strides}};
}

// Updates that can meet: along the axis, or of all tuples.
struct UpdateLines {
  int64_t length = 1, step = 1;
};

UpdateLines lines_of(const TypedNode& node) {
  const Shape& updates = node.inputs[2].shape;
  UpdateLines lines;
  if (!by_tuples(node)) {
    const uint32_t axis = axis_of(node);
    lines.length = updates[axis];
    for (uint32_t d = axis + 1; d < updates.rank(); ++d) lines.step *= updates[d];
    return lines;
  }
  for (uint32_t d = depth_of(node); d < node.inputs[0].shape.rank(); ++d) lines.step *= node.inputs[0].shape[d];
  lines.length = lines.step > 0 ? updates.count() / lines.step : 0;
  return lines;
}

std::string_view functor_of(Reduction reduction) {
  constexpr std::string_view kNames[] = {"", "add", "mul", "max", "min"};
  return kNames[static_cast<size_t>(reduction)];
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  if (reduction_of(*node.attrs) != Reduction::None) {
    if (!contains(kReduced, node.inputs[0].dtype))
      return std::format("no kernel scatters {} with reduction '{}'", to_string(node.inputs[0].dtype), node.attrs->text("reduction"));
    if (const int64_t length = lines_of(node).length; length > kLongestLine)
      return std::format("{} updates may meet, and kernels let {} take turns", length, kLongestLine);
  }
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  if (!by_tuples(node)) return refuse_rank(loop_of(node));
  const uint32_t depth = depth_of(node);
  return depth >= 1 && depth <= kMaxDims ? "" : std::format("no kernel reads coordinates of {} numbers", depth);
}

// How the updates are brought, and a name for that.
std::string add_writer(ProgramText& text, DType dtype, Reduction reduction) {
  if (reduction != Reduction::None) {
    text.arithmetic(dtype).file("_scatter_reduce");
    add_functor(text, functor_of(reduction), dtype);
    return std::format("{}/{}", functor_of(reduction), to_string(dtype));
  }
  text.alias("elem", moved_type(dtype));
  packed(dtype) ? text.alias("acc", "u32").reads_bits(dtype).file("_scatter_packed") : text.file("_scatter_put");
  text.file("_indices");
  return moved_name(dtype);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  move_programs(dtype, kCopyDims, out);
  ProgramText text;
  const std::string label = add_writer(text.file("_divide").file("_fault"), dtype, reduction_of(*node.attrs));
  if (by_tuples(node)) {
    text.constant("depth", depth_of(node)).file("_scatter_nd");
    out.push_back({std::format("scatter_nd/{}/{}", label, depth_of(node)), text, 2, 2});
    return;
  }
  const uint32_t dims = dims_for(node.inputs[0].shape.rank());
  const char* index = to_string(node.inputs[1].dtype);
  text.constant("dims", dims).file("_scatter_elements").file(std::format("_gather_{}", index));
  out.push_back({std::format("scatter_elements/{}/{}/{}d", label, index, dims), text, 2, 2});
}

template <class P>
void append(std::vector<std::byte>& params, const P& more) {
  const std::vector<std::byte> bytes = to_params(more);
  params.insert(params.end(), bytes.begin(), bytes.end());
}

std::vector<std::byte> params_of(const TypedNode& node, const UpdateLines& lines) {
  const Shape &data = node.inputs[0].shape, strides = dense_strides(data);
  std::vector<std::byte> params =
      to_params(Params{to_u32(node.inputs[2].count()), to_u32(lines.length), to_u32(lines.step), inverse_of(lines.step)});
  if (by_tuples(node)) {
    for (uint32_t d = 0; d < depth_of(node); ++d) append(params, Axis{to_u32(data[d]), to_u32(strides[d]), {}});
  } else {
    append(params, AxisParams{to_u32(data[axis_of(node)]), to_u32(strides[axis_of(node)]), {}});
    append_dims(params, loop_of(node), dims_for(data.rank()));
  }
  return params;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t elements = node.outputs[0].count(), count = node.inputs[2].count();
  push_move({{Shape{elements}, {Shape{1}, Shape{1}}}}, node.inputs[0].dtype, kCopyDims, 0, caps, out);
  if (count == 0) return;
  const UpdateLines lines = lines_of(node);
  const int64_t threads = reduction_of(*node.attrs) == Reduction::None ? count : count / lines.length;
  out.push_back({kUpdates,
                 {input(1), input(2), output(0), fault_of(1)},
                 grid_of(ceil_div(static_cast<uint64_t>(threads), kGroupSize), caps),
                 params_of(node, lines)});
}

}  // namespace

constinit const Family kScatter{"scatter", refuse, programs, launch};

}  // namespace dbk::gpu
