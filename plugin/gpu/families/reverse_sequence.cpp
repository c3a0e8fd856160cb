// ReverseSequence: kernels/_reverse_sequence.wgsl, element by element or by 16 bytes of a long enough row.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, inner;
  float inner_inverse;
  uint32_t fast;
  float fast_inverse;
  uint32_t steps, batches, time_first;
};
static_assert(sizeof(Params) == 32);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

enum : uint32_t { kWide, kNarrow };  // programs

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  for (uint32_t program : {kWide, kNarrow}) {
    ProgramText text;
    program == kWide ? text.moves_vectors() : text.moves(dtype);
    text.file("_reverse_sequence").file("_fault").file("_divide");
    out.push_back({std::format("reverse_sequence/{}", program == kWide ? "128" : moved_name(dtype)), text, 2, 2});
  }
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& x = node.inputs[0].shape;
  if (x.count() == 0) return;
  const int64_t unit = 128 / bits_of(node.inputs[0].dtype);
  const bool time_first = node.attrs->integer("time_axis") == 0, wide = x.count() / (x[0] * x[1]) % unit == 0;
  const int64_t count = x.count() / (wide ? unit : 1), inner = count / (x[0] * x[1]);
  const Params params{to_u32(count),        to_u32(inner),
                      inverse_of(inner),    to_u32(x[1]),
                      inverse_of(x[1]),     to_u32(x[time_first ? 0 : 1]),
                      to_u32(x[time_first ? 1 : 0]), time_first ? 1u : 0u};
  out.push_back({wide ? kWide : kNarrow,
                 {input(0), input(1), output(0), fault_of(1)},
                 grid_of(ceil_div(wide ? static_cast<uint64_t>(count) : invocations(count, node.inputs[0].dtype), kGroupSize), caps),
                 to_params(params)});
}

}  // namespace

constinit const Family kReverseSequence{"reverse_sequence", refuse, programs, launch};

}  // namespace dbk::gpu
