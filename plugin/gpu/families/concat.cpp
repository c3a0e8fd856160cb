// Concat: one box per input, dense on the input's side, at the output's strides on the other. Inputs whose elements share words
// with those of their neighbours go through kernels/_concat_packed.wgsl.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/move.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct PackedParams {
  uint32_t count, row;
  float row_inverse;
  uint32_t start, run, pad[3];
};
static_assert(sizeof(PackedParams) == 32);

constexpr uint32_t kPacked = 2;  // the program behind the two of moves
constexpr uint32_t kDims = 2;  // what lies before the axis is one dimension, the rest the other

uint32_t axis_of(const TypedNode& node) {
  return normalize_axis(node.attrs->integer("axis"), node.outputs[0].shape.rank());
}

Box box_of(const TypedNode& node, size_t i, int64_t before) {
  const Shape& in = node.inputs[i].shape;
  const Shape out = dense_strides(node.outputs[0].shape);
  return {{in, {dense_strides(in), out}}, 0, before * out[axis_of(node)]};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  move_programs(dtype, kDims, out);
  if (!packed(dtype)) return;
  ProgramText text;
  text.alias("elem", "u32").alias("acc", "u32").reads_bits(dtype).file("_concat_packed").file("_divide");
  out.push_back({std::format("concat/{}", bits_of(dtype)), text, 1, 1});
}

void push_words(const TypedNode& node, uint32_t i, int64_t before, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape &in = node.inputs[i].shape, &result = node.outputs[0].shape;
  if (in.count() == 0) return;
  const uint32_t axis = axis_of(node);
  const int64_t inner = dense_strides(in)[axis], row = result[axis] * inner;
  const PackedParams params{to_u32(result.count()), to_u32(row), inverse_of(row), to_u32(before * inner), to_u32(in[axis] * inner), {}};
  out.push_back({kPacked,
                 {input(i), output(0)},
                 grid_of(ceil_div(invocations(result.count(), node.inputs[0].dtype), kGroupSize), caps),
                 to_params(params)});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  int64_t before = 0;
  for (uint32_t i = 0; i < node.inputs.size(); ++i) {
    const DType dtype = node.inputs[0].dtype;
    const Box box = box_of(node, i, before);
    if (packed(dtype) && !moves_vectors(box, dtype))
      push_words(node, i, before, caps, out);
    else
      push_move(box, dtype, kDims, i, caps, out);
    before += node.inputs[i].shape[axis_of(node)];
  }
}

}  // namespace

constinit const Family kConcat{"concat", refuse, programs, launch};

}  // namespace dbk::gpu
