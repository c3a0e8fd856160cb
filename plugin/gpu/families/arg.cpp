// ArgMax and ArgMin: kernels/_arg.wgsl with the keys of kernels/<op>.wgsl, a row per line along the axis.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/lines.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/rows.h"

namespace dbk::gpu {

namespace {

bool last_of(const TypedNode& node) { return node.attrs->integer_or("select_last_index", 0) != 0; }

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void body(const TypedNode& node, ProgramText& text) {
  const DType dtype = node.inputs[0].dtype;
  text.constant("last", last_of(node)).arithmetic(dtype).reads(dtype).alias("stored", "vec2<u32>").file("_arg").file("_arg_index");
  text.file(std::format("_key_{}", number_kind(dtype))).file(node.op->id).file("_divide");
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const std::string label = std::format("{}/{}{}", node.op->id, to_string(node.inputs[0].dtype), last_of(node) ? "/last" : "");
  row_programs(caps, label, 1, 1, body, node, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const Shape& shape = node.inputs[0].shape;
  const Lines lines = lines_of(shape, normalize_axis(node.attrs->integer("axis"), shape.rank()));
  const RowGrid grid = row_grid(lines.count(), lines.n, lines.inner > 1, caps);
  out.push_back({grid.program, {input(0), output(0)}, grid.groups, to_params(line_params(lines))});
}

}  // namespace

constinit const Family kArg{"arg", refuse, programs, launch};

}  // namespace dbk::gpu
