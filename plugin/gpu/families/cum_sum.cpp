// CumSum: kernels/_cum_sum.wgsl, an invocation per line along the axis, which the host knows.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/lines.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (node.values.size() < 2 || !node.values[1]) return "the axis is not known before the run";
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const bool exclusive = node.attrs->integer_or("exclusive", 0) != 0, reverse = node.attrs->integer_or("reverse", 0) != 0;
  const DType dtype = node.inputs[0].dtype;
  ProgramText text;
  text.constant("exclusive", exclusive).constant("reverse", reverse).arithmetic(dtype).file("_cum_sum").file("_divide");
  out.push_back({std::format("cum_sum/{}{}{}", to_string(dtype), exclusive ? "/exclusive" : "", reverse ? "/reverse" : ""), text, 1, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.inputs[0].shape;
  if (shape.count() == 0) return;
  const Lines lines = lines_of(shape, normalize_axis(integer_at(*node.values[1], 0), shape.rank()));
  out.push_back({0, {input(0), output(0)}, grid_of(ceil_div(static_cast<uint64_t>(lines.count()), kGroupSize), caps), to_params(line_params(lines))});
}

}  // namespace

constinit const Family kCumSum{"cum_sum", refuse, programs, launch};

}  // namespace dbk::gpu
