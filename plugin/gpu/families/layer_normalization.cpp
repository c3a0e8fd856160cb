// Normalisations of rows (host_fallback/normalization.h): kernels/layer_normalization/row.wgsl and one small file for each optional
// operand, present or not; on CPU adapters layer_normalization/line.wgsl, by segments of rows. Scale and bias cover the normalised dimensions or are single elements; other broadcasts stay on the host.
#include "host_fallback/normalization.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/line_rows.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/rows.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t rows, length, scale_step, bias_step;
  float epsilon;
  uint32_t skip_rows, shift_width, pad;
};
static_assert(sizeof(Params) == 32);

constexpr size_t kX = 0, kY = 0;

int64_t length_of(const TypedNode& node) {
  const Shape& shape = node.inputs[kX].shape;
  int64_t length = 1;
  for (uint32_t d = normalized_axis(*node.attrs, shape); d < shape.rank(); ++d) length *= shape[d];
  return length;
}

bool covers(const TypedNode& node, size_t i) {
  const TensorType& type = node.inputs[i];
  return type.count() == 1 || (type.count() == length_of(node) && is_suffix(type.shape, node.inputs[kX].shape));
}

// Operands in the order of their bindings, behind x.
std::vector<uint32_t> operands_of(const TypedNode& node, const Normalization& op) {
  std::vector<uint32_t> found;
  for (size_t i : {op.scale, op.bias, op.skip, op.shift})
    if (node.has(i)) found.push_back(static_cast<uint32_t>(i));
  return found;
}
std::vector<uint32_t> results_of(const TypedNode& node, const Normalization& op) {
  std::vector<uint32_t> found;
  for (size_t i : {kY, op.mean, op.inverse, op.sum})
    if (wants(node, i)) found.push_back(static_cast<uint32_t>(i));
  return found;
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const Normalization op = normalization_of(node.op->id);
  if (std::string reason = refuse_dtype(node, kX); !reason.empty()) return reason;
  if (!wants(node, kY)) return "statistics without the normalised output have no kernel";
  for (size_t i : {op.scale, op.bias})
    if (node.has(i) && !covers(node, i))
      return std::format("{} of shape {} does not cover the normalised dimensions", i == op.scale ? "a scale" : "a bias",
                         to_string(node.inputs[i].shape));
  for (uint32_t i : operands_of(node, op))
    if (node.inputs[i].dtype != node.inputs[kX].dtype) return "scale and bias of another type than the input have no kernel";
  for (size_t i : {op.mean, op.inverse}) {
    if (!wants(node, i)) continue;
    if (!contains(F32 | F16, node.outputs[i].dtype)) return "statistics that are not f32 or f16 have no kernel";
    if (length_of(node) == 0) return "statistics of rows without elements have no kernel";
  }
  if (const size_t all = 1 + operands_of(node, op).size() + results_of(node, op).size(); all > caps.max_storage_bindings)
    return std::format("{} operands and results are more than a kernel binds", all);
  return refuse_operands(node, caps);
}

// The file of an operand or result that may be absent. `binding` goes on where it is there.
void add_piece(ProgramText& text, std::string_view name, std::string_view file, bool there, uint32_t& binding) {
  text.file(std::format("layer_normalization/{}{}", file, there ? "" : "_none"));
  if (there) text.constant(std::format("binding_{}", name), binding++);
}

void add_statistics(const TypedNode& node, const Normalization& op, ProgramText& text, uint32_t& binding) {
  for (const auto& [i, name] : {std::pair{op.mean, "mean"}, {op.inverse, "inverse"}}) {
    add_piece(text, name, name, wants(node, i), binding);
    if (wants(node, i)) text.alias(std::format("stored_{}", name), to_string(node.outputs[i].dtype));
  }
}

void add_source(const TypedNode& node, const Normalization& op, std::string_view file, ProgramText& text, uint32_t& binding) {
  text.file(std::format("layer_normalization/{}{}", file, node.has(op.shift) ? "_skip_shift" : node.has(op.skip) ? "_skip" : ""));
  if (node.has(op.skip)) text.constant("binding_skip", binding++);
  if (node.has(op.shift)) text.constant("binding_shift", binding++);
}

void body(const TypedNode& node, ProgramText& text) {
  const Normalization op = normalization_of(node.op->id);
  uint32_t binding = 2;
  text.arithmetic(node.inputs[kX].dtype).constant("centred", op.centred ? 1 : 0).file("layer_normalization/row").file("_moments");
  add_piece(text, "bias", "bias", node.has(op.bias), binding);
  add_source(node, op, "source", text, binding);
  text.constant("binding_y", binding++);
  add_statistics(node, op, text, binding);
  add_piece(text, "sum", "sum", wants(node, op.sum), binding);
  text.constant("binding_params", binding);
}

void line_body(const TypedNode& node, RowStage stage, uint32_t results_at, ProgramText& text) {
  const Normalization op = normalization_of(node.op->id);
  uint32_t binding = 1;
  text.file("layer_normalization/line");
  add_source(node, op, "line_source", text, binding);
  if (stage != RowStage::Result) return;
  text.constant("centred", op.centred ? 1 : 0).constant("binding_scale", binding++).file("layer_normalization/line_result");
  add_piece(text, "bias", "line_bias", node.has(op.bias), binding);
  uint32_t result = results_at + 1;
  add_statistics(node, op, text, result);
  add_piece(text, "sum", "line_sum", wants(node, op.sum), result);
}

LineRows line_form(const TypedNode& node, const Normalization& op) {
  const uint32_t sources = 1 + node.has(op.skip) + node.has(op.shift);
  return {op.centred, sources, 1u + node.has(op.bias), static_cast<uint32_t>(results_of(node, op).size()), line_body};
}

bool has_line(const TypedNode& node, const Normalization& op, const Capabilities& caps) {
  const LineRows form = line_form(node, op);
  return line_possible(caps) && node.inputs[kX].dtype == DBK_F32 && node.has(op.scale) &&
         form.sources + form.others + 2 + form.results <= caps.max_storage_bindings;
}

bool line_fits(const TypedNode& node, const Normalization& op, int64_t rows, int64_t length, const Capabilities& caps) {
  for (size_t i : {op.scale, op.bias, op.shift})
    if (node.has(i) && node.inputs[i].count() != length) return false;
  return has_line(node, op, caps) && line_rows_fit(rows, length, caps);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const Normalization op = normalization_of(node.op->id);
  std::string label = std::format("{}/{}", node.op->id, to_string(node.inputs[kX].dtype));
  for (const auto& [i, name] : {std::pair{op.bias, "/bias"}, {op.shift, "/shift"}})
    if (node.has(i)) label += name;
  for (const auto& [i, name] : {std::pair{op.mean, "/mean"}, {op.inverse, "/inverse"}, {op.sum, "/sum"}})
    if (wants(node, i)) label += name;
  const auto reads = static_cast<uint32_t>(1 + operands_of(node, op).size());
  row_programs(caps, label, reads, static_cast<uint32_t>(results_of(node, op).size()), body, node, out);
  if (has_line(node, op, caps)) line_row_programs(line_form(node, op), label, node, out);
}

void launch_line(const TypedNode& node, const Normalization& op, int64_t rows, int64_t length, const Capabilities& caps,
                 std::vector<Dispatch>& out) {
  std::vector<Argument> args{input(kX)};
  for (size_t i : {op.skip, op.shift, op.scale, op.bias})
    if (node.has(i)) args.push_back(input(static_cast<uint32_t>(i)));
  for (uint32_t i : results_of(node, op)) args.push_back(output(i));
  LineRowParams params{to_u32(rows), to_u32(length)};
  params.epsilon = static_cast<float>(node.attrs->real("epsilon"));
  if (node.has(op.skip)) params.skip_rows = to_u32(node.inputs[op.skip].count() / length);
  params.skip_inverse = inverse_of(params.skip_rows);
  line_row_launch(line_form(node, op), row_program_count(caps), args, params, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Normalization op = normalization_of(node.op->id);
  const int64_t count = node.inputs[kX].count();
  if (count == 0) return;
  const int64_t length = length_of(node), rows = count / length;
  if (line_fits(node, op, rows, length, caps)) return launch_line(node, op, rows, length, caps, out);
  const auto step = [&](size_t i) { return node.has(i) && node.inputs[i].count() > 1 ? 1u : 0u; };
  const auto size = [&](size_t i) { return node.has(i) ? node.inputs[i].count() : 1; };
  const Params params{to_u32(rows), to_u32(length), step(op.scale), step(op.bias), static_cast<float>(node.attrs->real("epsilon")),
                      to_u32(std::max<int64_t>(size(op.skip) / length, 1)), to_u32(size(op.shift)), 0};
  std::vector<Argument> args{input(kX)};
  for (uint32_t i : operands_of(node, op)) args.push_back(input(i));
  for (uint32_t i : results_of(node, op)) args.push_back(output(i));
  const RowGrid grid = row_grid(rows, length, false, caps);
  out.push_back({grid.program, std::move(args), grid.groups, to_params(params)});
}

}  // namespace

constinit const Family kLayerNormalization{"layer_normalization", refuse, programs, launch};

}  // namespace dbk::gpu
