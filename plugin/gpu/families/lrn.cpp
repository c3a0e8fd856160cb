// LRN: kernels/lrn.wgsl with the functor of Pow.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, inner;
  float inner_inverse;
  uint32_t channels;
  float channels_inverse;
  uint32_t before, behind, pad;
  float alpha, beta, bias;
  uint32_t pad_x;
};
static_assert(sizeof(Params) == 48);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  ProgramText text;
  text.arithmetic(node.inputs[0].dtype).file("lrn").file("_indices").file("pow").file("_math").file("_divide");
  out.push_back({std::format("lrn/{}", to_string(node.inputs[0].dtype)), text, 1, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.inputs[0].shape;
  const int64_t count = shape.count();
  if (count == 0) return;
  const int64_t channels = shape[1], inner = count / (shape[0] * channels), size = node.attrs->integer("size");
  const Params params{to_u32(count),
                      to_u32(inner),
                      inverse_of(inner),
                      to_u32(channels),
                      inverse_of(channels),
                      to_u32(std::min(channels, (size - 1) / 2)),
                      to_u32(std::min(channels, size / 2)),
                      0,
                      static_cast<float>(node.attrs->real("alpha") / static_cast<double>(size)),
                      static_cast<float>(node.attrs->real("beta")),
                      static_cast<float>(node.attrs->real("bias")),
                      0};
  out.push_back({0, {input(0), output(0)}, grid_of(ceil_div(count, kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kLrn{"lrn", refuse, programs, launch};

}  // namespace dbk::gpu
