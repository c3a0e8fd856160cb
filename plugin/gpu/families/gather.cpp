// Gather: kernels/_gather.wgsl, element by element, or by 16 bytes of a long enough row; indices keep their width
// and a bad one is reported.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, extent, inner;
  float inner_inverse;
  uint32_t indices;
  float indices_inverse;
  uint32_t pad[2];
};
static_assert(sizeof(Params) == 32);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  if (!contains(I32 | I64, node.inputs[1].dtype))
    return std::format("no kernel reads {} indices", to_string(node.inputs[1].dtype));
  return refuse_operands(node, caps);
}

enum : uint32_t { kWide, kNarrow };  // programs

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype, index = node.inputs[1].dtype;
  for (uint32_t program : {kWide, kNarrow}) {
    ProgramText text;
    program == kWide ? text.moves_vectors() : text.moves(dtype);
    text.file("_gather").file("_fault").file(std::format("_gather_{}", to_string(index))).file("_divide");
    out.push_back(
        {std::format("gather/{}/{}", program == kWide ? "128" : moved_name(dtype), to_string(index)), text, 2, 2});
  }
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& in = node.inputs[0].shape;
  if (node.outputs[0].count() == 0) return;
  const uint32_t axis = normalize_axis(node.attrs->integer("axis"), in.rank());
  int64_t inner = 1;
  for (uint32_t d = axis + 1; d < in.rank(); ++d) inner *= in[d];
  const int64_t indices = node.inputs[1].count(), unit = 128 / bits_of(node.inputs[0].dtype);
  const bool wide = inner % unit == 0;
  if (wide) inner /= unit;
  const int64_t count = node.outputs[0].count() / (wide ? unit : 1);
  const Params params{
      to_u32(count), to_u32(in[axis]), to_u32(inner), inverse_of(inner), to_u32(indices), inverse_of(indices), {}};
  out.push_back({wide ? kWide : kNarrow,
                 {input(0), input(1), output(0), fault_of(1)},
                 grid_of(ceil_div(wide ? static_cast<uint64_t>(count) : invocations(count, node.inputs[0].dtype), kGroupSize), caps),
                 to_params(params)});
}

}  // namespace

constinit const Family kGather{"gather", refuse, programs, launch};

}  // namespace dbk::gpu
