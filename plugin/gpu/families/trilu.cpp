// Trilu: kernels/_trilu.wgsl; the diagonal is known to the host.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, rows;
  float rows_inverse;
  uint32_t columns;
  float columns_inverse;
  int32_t diagonal;
  uint32_t pad[2];
};
static_assert(sizeof(Params) == 32);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_move(node.inputs[0].dtype); !reason.empty()) return reason;
  if (node.has(1) && (node.values.size() < 2 || !node.values[1])) return "k is not known before the run";
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const bool upper = node.attrs->integer_or("upper", 1) != 0;
  ProgramText text;
  text.constant("upper", upper).moves(dtype).file("_trilu").file("_divide");
  out.push_back({std::format("trilu/{}/{}", moved_name(dtype), upper ? "upper" : "lower"), text, 1, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.inputs[0].shape;
  const int64_t count = shape.count();
  if (count == 0) return;
  const int64_t rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
  const int64_t k = node.has(1) ? std::clamp<int64_t>(integer_at(*node.values[1], 0), -rows, columns) : 0;
  const Params params{to_u32(count), to_u32(rows), inverse_of(rows), to_u32(columns), inverse_of(columns), static_cast<int32_t>(k), {}};
  out.push_back({0, {input(0), output(0)}, grid_of(ceil_div(invocations(count, node.inputs[0].dtype), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kTrilu{"trilu", refuse, programs, launch};

}  // namespace dbk::gpu
