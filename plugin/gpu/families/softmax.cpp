// Softmax and LogSoftmax along any axis: kernels/softmax.wgsl with the op's functions, a row per line along the axis; Hardmax is
// ArgMax (kernels/_arg.wgsl) that writes a row. Before version 13 the axis splits the tensor in two and a row is everything from
// it on. On CPU adapters rows of neighbours are taken by segments (kernels/softmax_line.wgsl).
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/line_rows.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/rows.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t rows, length, inner;
  float inner_inverse;
};
static_assert(sizeof(Params) == 16);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void add_functions(const TypedNode& node, ProgramText& text) {
  text.file("_math").file(node.op->id == "softmax" ? "softmax_value" : node.op->id);
}

void body(const TypedNode& node, ProgramText& text) {
  const DType dtype = node.inputs[0].dtype;
  text.arithmetic(dtype).file("_divide");
  if (node.op->id == "hardmax") {
    text.constant("last", 0).alias("stored", to_string(dtype)).reads(dtype).file("_arg").file("_key_f32").file("hardmax");
    return;
  }
  text.file("softmax");
  add_functions(node, text);
}

constexpr LineRows kLineForm{true, 1, 0, 1, [](const TypedNode& node, RowStage, uint32_t, ProgramText& text) {
                               text.file("softmax_line");
                               add_functions(node, text);
                             }};

bool has_line(const TypedNode& node, const Capabilities& caps) {
  return line_possible(caps) && node.inputs[0].dtype == DBK_F32 && node.op->id != "hardmax";
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const std::string label = std::format("{}/{}", node.op->id, to_string(node.inputs[0].dtype));
  row_programs(caps, label, 1, 1, body, node, out);
  if (has_line(node, caps)) line_row_programs(kLineForm, label, node, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.inputs[0].shape;
  const int64_t count = shape.count();
  if (count == 0) return;
  int64_t length = 1, inner = 1;
  if (shape.rank() > 0) {
    const uint32_t axis = normalize_axis(node.attrs->integer("axis"), shape.rank());
    length = shape[axis];
    for (uint32_t d = axis + 1; d < shape.rank(); ++d) (node.version < 13 ? length : inner) *= shape[d];
  }
  const int64_t rows = count / length;
  if (inner == 1 && has_line(node, caps) && line_rows_fit(rows, length, caps))
    return line_row_launch(kLineForm, row_program_count(caps), {input(0), output(0)}, {to_u32(rows), to_u32(length)}, out);
  const RowGrid grid = row_grid(rows, length, inner > 1, caps);
  out.push_back({grid.program,
                 {input(0), output(0)},
                 grid.groups,
                 to_params(Params{to_u32(rows), to_u32(length), to_u32(inner), inverse_of(inner)})});
}

}  // namespace

constinit const Family kSoftmax{"softmax", refuse, programs, launch};

}  // namespace dbk::gpu
