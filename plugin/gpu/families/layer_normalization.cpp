// LayerNormalization: kernels/layer_normalization/row.wgsl and one small file for each optional operand, present or
// not. Scale and bias cover the normalised dimensions or are single elements; other broadcasts stay on the host.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/rows.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t rows, length, scale_step, bias_step;
  float epsilon;
  uint32_t pad[3];
};
static_assert(sizeof(Params) == 32);

constexpr size_t kX = 0, kScale = 1, kBias = 2;
constexpr size_t kY = 0, kMean = 1, kInverse = 2;

int64_t length_of(const TypedNode& node) {
  const Shape& shape = node.inputs[kX].shape;
  int64_t length = 1;
  for (uint32_t d = normalize_axis(node.attrs->integer("axis"), shape.rank()); d < shape.rank(); ++d)
    length *= shape[d];
  return length;
}

bool covers(const TypedNode& node, size_t i) {
  const TensorType& type = node.inputs[i];
  return type.count() == 1 || (type.count() == length_of(node) && is_suffix(type.shape, node.inputs[kX].shape));
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kX); !reason.empty()) return reason;
  if (!wants(node, kY)) return "statistics without the normalised output have no kernel";
  for (size_t i : {kScale, kBias}) {
    if (!node.has(i)) continue;
    if (!covers(node, i))
      return std::format("{} of shape {} does not cover the normalised dimensions", i == kScale ? "a scale" : "a bias",
                         to_string(node.inputs[i].shape));
    if (node.inputs[i].dtype != node.inputs[kX].dtype)
      return "scale and bias of another type than the input have no kernel";
  }
  for (size_t i : {kMean, kInverse})
    if (wants(node, i) && !contains(F32 | F16, node.outputs[i].dtype))
      return "statistics that are not f32 or f16 have no kernel";
  return refuse_operands(node, caps);
}

void body(const TypedNode& node, ProgramText& text) {
  uint32_t binding = node.has(kBias) ? 3 : 2;
  text.arithmetic(node.inputs[kX].dtype).file("layer_normalization/row");
  text.file(node.has(kBias) ? "layer_normalization/bias" : "layer_normalization/bias_none")
      .constant("binding_y", binding++);
  for (const auto& [i, name] : {std::pair{kMean, "mean"}, {kInverse, "inverse"}}) {
    if (!wants(node, i)) {
      text.file(std::format("layer_normalization/{}_none", name));
      continue;
    }
    text.file(std::format("layer_normalization/{}", name)).constant(std::format("binding_{}", name), binding++);
    text.alias(std::format("stored_{}", name), to_string(node.outputs[i].dtype));
  }
  text.constant("binding_params", binding);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const uint32_t reads = node.has(kBias) ? 3 : 2;
  const uint32_t writes = 1 + wants(node, kMean) + wants(node, kInverse);
  const std::string label =
      std::format("layer_normalization/{}{}{}{}", to_string(node.inputs[kX].dtype), node.has(kBias) ? "/bias" : "",
                  wants(node, kMean) ? "/mean" : "", wants(node, kInverse) ? "/inverse" : "");
  row_programs(caps, label, reads, writes, body, node, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.inputs[kX].count();
  if (count == 0) return;
  const int64_t length = length_of(node), rows = count / length;
  const auto step = [&](size_t i) { return node.has(i) && node.inputs[i].count() > 1 ? 1u : 0u; };
  const Params params{
      to_u32(rows), to_u32(length), step(kScale), step(kBias), static_cast<float>(node.attrs->real("epsilon")), {}};
  std::vector<Argument> args{input(kX), input(kScale)};
  if (node.has(kBias)) args.push_back(input(kBias));
  for (uint32_t i : {kY, kMean, kInverse})
    if (wants(node, i)) args.push_back(output(i));
  const RowGrid grid = row_grid(rows, length, false, caps);
  out.push_back({grid.program, std::move(args), grid.groups, to_params(params)});
}

}  // namespace

constinit const Family kLayerNormalization{"layer_normalization", refuse, programs, launch};

}  // namespace dbk::gpu
