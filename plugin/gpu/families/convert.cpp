#include "plugin/gpu/families/convert.h"

namespace dbk::gpu {

namespace {

struct Params {  // kernels/_convert.wgsl
  uint32_t words, count;
  float low, high;
  uint32_t extent;
  float extent_inverse;
  uint32_t inner;
  float inner_inverse;
  uint32_t block;
  float block_inverse;
  uint32_t outer_step, block_step, inner_step, pad[3];
};
static_assert(sizeof(Params) == 64);

std::string_view truth(bool b) { return b ? "true" : "false"; }

}  // namespace

std::pair<float, float> bounds_of(DType dtype) {
  const auto high = static_cast<float>((1u << (bits_of(dtype) - 1)) - 1);
  if (contains(I8 | I16 | I4 | I2, dtype)) return {-high - 1, high};
  return {0.0f, 2 * high + 1};
}

Program convert_program(const Convert& c) {
  ProgramText text;
  text.file("_number_f32").file("_stored").file("_divide").file("_math").file("_quotient");
  text.text(stored_type("x_type", c.from))
      .text(stored_type("y_type", c.to, c.conversion))
      .text(stored_type("quotient_type", c.quotient));
  text.text(stored_type("scale_type", c.scale ? c.scale : DBK_F32))
      .text(stored_type("zero_type", c.zero ? c.zero : DBK_F32));
  text.text(std::format("const spread = {};\nconst bounded = {};\nconst has_scale = {};\nconst has_zero = {};\n",
                        truth(c.spread), truth(c.bounded), truth(c.scale), truth(c.zero)));
  text.file("_convert").file(c.functor);
  std::string label = std::format("{}/{}/{}", c.functor, to_string(c.from), to_string(c.to));
  if (c.scale) label += std::format("/{}{}{}", to_string(c.scale), c.spread ? "s" : "", c.zero ? "/zero" : "");
  return {label, text, 3, 1};
}

Dispatch convert_launch(const Convert& c, const TypedNode& node, const Granularity& g, Argument scale, Argument zero,
                        const Capabilities& caps) {
  const TensorType result{c.to, node.inputs[0].shape};
  const auto words = words_of(result);
  const auto [low, high] = c.bounded ? bounds_of(c.to) : std::pair{0.0f, 0.0f};
  const Params params{to_u32(static_cast<int64_t>(words)),
                      to_u32(result.count()),
                      low,
                      high,
                      to_u32(g.extent),
                      inverse_of(g.extent),
                      to_u32(g.inner),
                      inverse_of(g.inner),
                      to_u32(g.block),
                      inverse_of(g.block),
                      to_u32(g.outer_step),
                      to_u32(g.block_step),
                      to_u32(g.inner_step),
                      {}};
  return {0,
          {input(0), c.scale ? scale : input(0), c.zero ? zero : input(0), output(0)},
          grid_of(ceil_div(words, kGroupSize), caps),
          to_params(params)};
}

}  // namespace dbk::gpu
