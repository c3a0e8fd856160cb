// BatchNormalization at inference: kernels/batch_normalization.wgsl, one element per invocation.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, inner;
  float inner_inverse;
  uint32_t channels;
  float channels_inverse, epsilon;
  uint32_t pad[2];
};
static_assert(sizeof(Params) == 32);

constexpr size_t kX = 0, kScale = 1, kMean = 3;

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kX); !reason.empty()) return reason;
  if (node.attrs->integer_or("training_mode", 0) != 0) return "no kernel computes the statistics of training mode";
  for (size_t i : {kScale, kMean})
    if (!contains(F32 | F16, node.inputs[i].dtype)) return "statistics that are not f32 or f16 have no kernel";
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const char *x = to_string(node.inputs[kX].dtype), *factor = to_string(node.inputs[kScale].dtype),
             *moment = to_string(node.inputs[kMean].dtype);
  ProgramText text;
  text.alias("elem", x).alias("factor", factor).alias("moment", moment).file("batch_normalization").file("_indices").file("_divide");
  out.push_back({std::format("batch_normalization/{}/{}/{}", x, factor, moment), text.str(), 5, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const Shape& shape = node.inputs[kX].shape;
  const int64_t count = shape.count();
  if (count == 0) return;
  const int64_t channels = shape.rank() > 1 ? shape[1] : 1, inner = count / (shape[0] * channels);
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
