// OneHot: kernels/_one_hot.wgsl with the index type's file; the depth is the output's extent.
#include "host_fallback/lines.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, extent;
  float extent_inverse;
  uint32_t inner;
  float inner_inverse;
  uint32_t pad[3];
};
static_assert(sizeof(Params) == 32);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (std::string reason = refuse_move(node.inputs[2].dtype); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[2].dtype;
  const char* index = to_string(node.inputs[0].dtype);
  ProgramText text;
  text.moves(dtype).file("_one_hot").file(std::format("_gather_{}", index)).file("_divide");
  out.push_back({std::format("one_hot/{}/{}", moved_name(dtype), index), text, 2, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const TensorType& type = node.outputs[0];
  const int64_t count = type.count();
  if (count == 0) return;
  const Lines lines = lines_of(type.shape, normalize_axis(node.attrs->integer("axis"), type.shape.rank()));
  const Params params{to_u32(count), to_u32(lines.n), inverse_of(lines.n), to_u32(lines.inner), inverse_of(lines.inner), {}};
  out.push_back({0,
                 {input(0), input(2), output(0)},
                 grid_of(ceil_div(invocations(count, type.dtype), kGroupSize), caps),
                 to_params(params)});
}

}  // namespace

constinit const Family kOneHot{"one_hot", refuse, programs, launch};

}  // namespace dbk::gpu
