// BatchNormalization: kernels/batch_normalization.wgsl, one element per invocation; in training mode kernels/batch_normalization_training.wgsl, a row per
// channel.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/rows.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, inner;
  float inner_inverse;
  uint32_t channels;
  float channels_inverse, epsilon;
  uint32_t pad[2];
};
struct TrainingParams {
  uint32_t rows, length, inner;
  float inner_inverse;
  uint32_t step;
  float epsilon, momentum;
  uint32_t pad;
};
static_assert(sizeof(Params) == 32 && sizeof(TrainingParams) == 32);

constexpr size_t kX = 0, kScale = 1, kMean = 3;

bool trains(const TypedNode& node) { return node.attrs->integer_or("training_mode", 0) != 0; }

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kX); !reason.empty()) return reason;
  for (size_t i : {kScale, kMean})
    if (!contains(F32 | F16, node.inputs[i].dtype)) return "statistics that are not f32 or f16 have no kernel";
  return refuse_operands(node, caps);
}

void types(const TypedNode& node, ProgramText& text) {
  text.alias("factor", to_string(node.inputs[kScale].dtype)).alias("moment", to_string(node.inputs[kMean].dtype));
}

void body(const TypedNode& node, ProgramText& text) {
  types(node, text);
  text.arithmetic(node.inputs[kX].dtype).file("batch_normalization_training").file("_moments").file("_divide");
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const char *x = to_string(node.inputs[kX].dtype), *factor = to_string(node.inputs[kScale].dtype),
             *moment = to_string(node.inputs[kMean].dtype);
  if (trains(node)) return row_programs(caps, std::format("batch_normalization_training/{}/{}/{}", x, factor, moment), 5, 3, body, node, out);
  ProgramText text;
  types(node, text);
  text.alias("elem", x).file("batch_normalization").file("_indices").file("_divide");
  out.push_back({std::format("batch_normalization/{}/{}/{}", x, factor, moment), text, 5, 1});
}

void launch_training(const TypedNode& node, int64_t channels, int64_t inner, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t length = node.inputs[kX].count() / channels;
  const auto real = [&](const char* name) { return static_cast<float>(node.attrs->real(name)); };
  const TrainingParams params{to_u32(channels), to_u32(length), to_u32(inner), inverse_of(inner), to_u32(channels * inner), real("epsilon"), real("momentum"), 0};
  std::vector<Argument> args{input(0), input(1), input(2), input(3), input(4)};
  for (uint32_t i = 0; i < 3; ++i)  // what nobody wants is made, too
    args.push_back(wants(node, i) ? output(i) : scratch(i, static_cast<uint64_t>(node.inputs[i == 0 ? kX : kMean].bytes())));
  const RowGrid grid = row_grid(channels, length, false, caps);
  out.push_back({grid.program, std::move(args), grid.groups, to_params(params)});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.inputs[kX].shape;
  const int64_t count = shape.count();
  const int64_t channels = shape.rank() > 1 ? shape[1] : 1;
  if (channels == 0 || (count == 0 && !trains(node))) return;
  int64_t inner = 1;
  for (uint32_t d = 2; d < shape.rank(); ++d) inner *= shape[d];
  if (trains(node)) return launch_training(node, channels, inner, caps, out);
  const Params params{to_u32(count),
                      to_u32(inner),
                      inverse_of(inner),
                      to_u32(channels),
                      inverse_of(channels),
                      static_cast<float>(node.attrs->real("epsilon")),
                      {}};
  out.push_back({0,
                 {input(0), input(1), input(2), input(3), input(4), output(0)},
                 grid_of(ceil_div(count, kGroupSize), caps),
                 to_params(params)});
}

}  // namespace

constinit const Family kBatchNormalization{"batch_normalization", refuse, programs, launch};

}  // namespace dbk::gpu
