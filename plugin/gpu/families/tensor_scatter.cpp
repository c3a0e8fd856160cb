// TensorScatter: kernels/_tensor_scatter.wgsl and a file that tells where updates begin.
#include "host_fallback/tensor_scatter.h"

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, inner, extent, outer;
  float inner_inverse, extent_inverse, outer_inverse;
  uint32_t length, circular, pad[3];
};
static_assert(sizeof(Params) == 48);

constexpr size_t kStart = 2;

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const bool starts = node.has(kStart);
  ProgramText text;
  text.moves(node.inputs[0].dtype).constant("binding_y", starts ? 3 : 2).constant("binding_params", starts ? 5 : 3);
  text.file("_tensor_scatter").file(starts ? "_tensor_scatter_starts" : "_tensor_scatter_zero").file("_divide");
  if (starts) text.file("_fault");
  out.push_back({std::format("tensor_scatter/{}{}", moved_name(node.inputs[0].dtype), starts ? "/starts" : ""), text, starts ? 3u : 2u,
                 starts ? 2u : 1u});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const TensorScatter t = tensor_scatter_of(*node.attrs, OperandTypes(node.inputs));
  const Params params{to_u32(count), to_u32(t.inner), to_u32(t.extent), to_u32(t.outer), inverse_of(t.inner), inverse_of(t.extent),
                      inverse_of(t.outer), to_u32(t.length), t.circular ? 1u : 0u, {}};
  std::vector<Argument> args{input(0), input(1), output(0)};
  if (node.has(kStart)) args = {input(0), input(1), input(kStart), output(0), fault_of(kStart)};
  out.push_back({0, std::move(args), grid_of(ceil_div(invocations(count, node.inputs[0].dtype), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kTensorScatter{"tensor_scatter", refuse, programs, launch};

}  // namespace dbk::gpu
