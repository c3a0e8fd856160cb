// InstanceNormalization and GroupNormalization: kernels/group_normalization.wgsl, a row per group of channels.
#include "host_fallback/group_normalization.h"

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/rows.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t rows, length, inner;
  float inner_inverse;
  uint32_t groups;
  float groups_inverse;
  uint32_t group_step, channel_step;
  float epsilon;
  uint32_t pad[3];
};
static_assert(sizeof(Params) == 48);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void body(const TypedNode& node, ProgramText& text) {
  text.arithmetic(node.inputs[0].dtype).file("group_normalization").file("_moments").file("_divide");
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  row_programs(caps, std::format("group_normalization/{}", to_string(node.inputs[0].dtype)), 3, 1, body, node, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.inputs[0].count() == 0) return;
  const ChannelGroups g = channel_groups(*node.attrs, node.version, node.inputs[0].shape);
  const int64_t rows = g.batch * g.groups, length = g.channels * g.inner;
  const Params params{to_u32(rows),
                      to_u32(length),
                      to_u32(g.inner),
                      inverse_of(g.inner),
                      to_u32(g.groups),
                      inverse_of(g.groups),
                      g.factors_of_groups ? 1 : to_u32(g.channels),
                      g.factors_of_groups ? 0u : 1u,
                      static_cast<float>(node.attrs->real("epsilon")),
                      {}};
  const RowGrid grid = row_grid(rows, length, false, caps);
  out.push_back({grid.program, {input(0), input(1), input(2), output(0)}, grid.groups, to_params(params)});
}

}  // namespace

constinit const Family kGroupNormalization{"group_normalization", refuse, programs, launch};

}  // namespace dbk::gpu
