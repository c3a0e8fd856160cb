// LpNormalization: kernels/lp_normalization.wgsl, a row per line along the axis.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/rows.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t rows, length, inner;
  float inner_inverse;
  uint32_t power, pad[3];
};
static_assert(sizeof(Params) == 32);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void body(const TypedNode& node, ProgramText& text) {
  text.arithmetic(node.inputs[0].dtype).file("lp_normalization").file("_divide");
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  row_programs(caps, std::format("lp_normalization/{}", to_string(node.inputs[0].dtype)), 1, 1, body, node, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.inputs[0].shape;
  const int64_t count = shape.count();
  if (count == 0) return;
  const uint32_t axis = normalize_axis(node.attrs->integer("axis"), shape.rank());
  const int64_t length = shape[axis], rows = count / length;
  int64_t inner = 1;
  for (uint32_t d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
  const Params params{to_u32(rows), to_u32(length), to_u32(inner), inverse_of(inner), to_u32(node.attrs->integer("p")), {}};
  const RowGrid grid = row_grid(rows, length, inner > 1, caps);
  out.push_back({grid.program, {input(0), output(0)}, grid.groups, to_params(params)});
}

}  // namespace

constinit const Family kLpNormalization{"lp_normalization", refuse, programs, launch};

}  // namespace dbk::gpu
