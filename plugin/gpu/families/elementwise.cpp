// Element-wise expressions over broadcast operands, one dispatch each: the frames of elementwise_text.h, chosen by what the extents
// of a launch allow.
#include "plugin/gpu/families/elementwise_text.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

namespace {

using Kind = ElementwiseFrame::Kind;
using Loop = StridedLoop<kMaxExpressionOperands>;

struct Params {  // dimensions follow
  uint32_t vectors, count, singles, zero;
};
static_assert(sizeof(Params) == 16 && sizeof(StrideDim<kMaxExpressionOperands>) == 32);

const Expression& expression_of(const TypedNode& node) { return node.attrs->expression("expression"); }

std::vector<DType> dtypes_of(const TypedNode& node) {
  std::vector<DType> dtypes;
  for (const TensorType& type : node.inputs) dtypes.push_back(type.dtype);
  return dtypes;
}

// Strides of operands that are not there are 0.
Loop loop_of(const TypedNode& node) {
  const Shape& out = node.outputs[0].shape;
  std::array<Shape, kMaxExpressionOperands> strides;
  for (size_t i = 0; i < strides.size(); ++i) strides[i] = broadcast_strides(i < node.inputs.size() ? node.inputs[i].shape : Shape{}, out);
  return {out, strides};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (node.inputs.size() > kMaxExpressionOperands || node.inputs.size() + 1 > caps.max_storage_bindings)
    return std::format("{} operands are more than a kernel binds", node.inputs.size());
  if (std::string reason = refuse_expression(expression_of(node), dtypes_of(node), caps); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_rank(loop_of(node));
}

// Operands that are one element whatever the extents: weights.
uint32_t fixed_singles(const TypedNode& node) {
  uint32_t singles = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (i < node.is_weight.size() && node.is_weight[i] && node.inputs[i].count() == 1) singles |= 1u << i;
  return singles;
}

bool has_line(const TypedNode& node, const Capabilities& caps) {
  const auto is_f32 = [](const TensorType& type) { return type.dtype == DBK_F32; };
  return line_possible(caps) && std::ranges::all_of(node.inputs, is_f32) && is_f32(node.outputs[0]);
}

// In the order of the programs: fours in one dimension, in up to three, any broadcast; the last two only for ranks over 1; then the line
// of CPU adapters.
std::vector<ElementwiseFrame> frames_of(const TypedNode& node, const Capabilities& caps) {
  const uint32_t rank = node.outputs[0].shape.rank();
  std::vector<ElementwiseFrame> frames{{Kind::Vectors, 1}};
  if (rank > 1) {
    frames.push_back({Kind::Vectors, std::min(dims_for(rank), 3u)});
    frames.push_back({Kind::Strided, dims_for(rank)});
  }
  if (has_line(node, caps)) frames.push_back({Kind::Line, 2, fixed_singles(node)});
  return frames;
}

std::string text_of(const ElementwiseFrame& frame, const Expression* expression, const std::vector<DType>& operands, DType result) {
  return elementwise_text(frame, *expression, operands, result);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const Expression& e = expression_of(node);
  const DType result = node.outputs[0].dtype;
  const std::vector<DType> operands = dtypes_of(node);
  for (const ElementwiseFrame& frame : frames_of(node, caps))
    out.push_back({elementwise_label(frame, e, operands, result), written_by<text_of>(frame, &e, operands, result),
                   static_cast<uint32_t>(operands.size()), 1});
}

// Whether an operand's elements for four neighbours of the result lie side by side, aligned, or are one.
bool has_fours(const Shape& strides) {
  const uint32_t last = strides.rank() - 1;
  if (strides[last] == 0) return true;
  return strides[last] == 1 && std::all_of(strides.begin(), strides.end() - 1, [](int64_t s) { return s % 4 == 0; });
}

bool line_fits(const ElementwiseFrame& frame, const TypedNode& node, const Loop& loop) {
  const uint32_t rank = loop.extent.rank();
  const bool rows = rank == 2 && loop.run_length() % (4 * kLineVectors) == 0 && std::ranges::all_of(loop.strides, has_fours);
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if ((loop.step(i) == 0) != ((frame.singles >> i & 1) != 0)) return false;
  return (rank == 1 || rows) && loop.extent.count() >= 4 * kLineVectors;
}

bool fits(const ElementwiseFrame& frame, const TypedNode& node, const Loop& loop) {
  const uint32_t rank = loop.extent.rank();
  switch (frame.kind) {
    case Kind::Line:
      return line_fits(frame, node, loop);
    case Kind::Vectors:
      return rank == 1 || (rank <= frame.dims && loop.run_length() % 4 == 0 && std::ranges::all_of(loop.strides, has_fours));
    case Kind::Strided:
      return true;
  }
  return false;
}

// Counts the last dimension in fours, and with it the strides of a line, which reads nothing but fours.
Loop in_fours(Loop loop, Kind kind) {
  const uint32_t last = loop.extent.rank() - 1;
  loop.extent[last] = static_cast<int64_t>(ceil_div(loop.extent[last], 4));
  for (Shape& strides : loop.strides) {
    strides[last] *= 4;
    for (int64_t& s : strides) s /= kind == Kind::Line ? 4 : 1;
  }
  return loop;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const Loop loop = loop_of(node);
  const std::vector<ElementwiseFrame> frames = frames_of(node, caps);
  uint32_t program = static_cast<uint32_t>(frames.size() - 1);  // a line first, then the cheapest
  if (frames[program].kind != Kind::Line || !fits(frames[program], node, loop))
    for (program = 0; !fits(frames[program], node, loop);) ++program;
  const ElementwiseFrame& frame = frames[program];
  const uint64_t vectors = ceil_div(count, 4);
  uint32_t singles = 0;
  for (uint32_t i = 0; i < node.inputs.size(); ++i) singles |= loop.step(i) == 0 ? 1u << i : 0u;
  std::vector<std::byte> params = to_params(Params{to_u32(vectors), to_u32(count), singles, 0});
  append_dims(params, frame.kind == Kind::Strided ? loop : in_fours(loop, frame.kind), frame.dims);
  std::vector<Argument> args;
  for (uint32_t i = 0; i < node.inputs.size(); ++i) args.push_back(input(i));
  args.push_back(output(0));
  out.push_back({program, std::move(args), grid_of(ceil_div(vectors, kGroupSize), caps), std::move(params)});
}

}  // namespace

constinit const Family kElementwise{"elementwise", refuse, programs, launch};

}  // namespace dbk::gpu
