// ConvInteger and QLinearConv: the `direct` convolution (conv_direct.h) of bytes. That of QLinearConv leaves its sums to
// kernels/integer_conv/requantize.wgsl.
#include "plugin/gpu/families/conv_direct.h"
#include "plugin/gpu/families/convert.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/spatial.h"

namespace dbk::gpu {

namespace {

struct Params {  // kernels/integer_conv/requantize.wgsl
  uint32_t count, positions;
  float positions_inverse;
  uint32_t channels;
  float channels_inverse;
  uint32_t scale_step;
  float low, high;
};
static_assert(sizeof(Params) == 32);

enum : uint32_t { kConvolve, kRequantize };  // programs

struct Operands {
  uint32_t x, w, x_zero, w_zero;
};
constexpr Operands kInteger{0, 1, 2, 3}, kQuantized{0, 3, 2, 5};
enum : uint32_t { kXScale = 1, kWScale = 4, kYScale = 6, kYZero = 7, kBias = 8 };  // of QLinearConv

bool gives_codes(const TypedNode& node) { return node.op->id == "qlinear_conv"; }
const Operands& operands_of(const TypedNode& node) { return gives_codes(node) ? kQuantized : kInteger; }

Convolution convolution_of(const TypedNode& node) {
  const Operands& o = operands_of(node);
  return dbk::convolution_of(*node.attrs, node.inputs[o.x].shape, node.inputs[o.w].shape);
}

DirectConv tile_of(const TypedNode& node, const Convolution& c, const Capabilities& caps) {
  const uint32_t w = operands_of(node).w;
  return direct_tile(c, node.is_weight.size() > w && node.is_weight[w], false, caps);
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_windows(convolution_of(node).windows);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const Operands& o = operands_of(node);
  const DirectConv tile = tile_of(node, convolution_of(node), caps);
  const ConvBytes bytes{node.inputs[o.x].dtype, node.inputs[o.w].dtype, node.has(o.x_zero), node.has(o.w_zero)};
  out.push_back({integer_conv_label(tile, bytes), written_by<integer_conv_text>(tile, bytes), 4, 1});
  if (!gives_codes(node)) return;
  const DType y = node.outputs[0].dtype;
  const bool bias = node.has(kBias);
  ProgramText text;
  text.moves(y).text(std::format("const has_bias = {};\n", bias));
  text.file("integer_conv/requantize").file("_divide").file("_quotient").file("_math").file("_number_f32");
  out.push_back({bias ? "conv/requantize/bias" : "conv/requantize", text, 6, 1});
}

uint32_t step_of(const TypedNode& node, uint32_t input) { return node.has(input) && node.inputs[input].count() > 1 ? 1 : 0; }

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const Operands& o = operands_of(node);
  const Convolution c = convolution_of(node);
  const auto or_x = [&](uint32_t i) { return input(node.has(i) ? i : o.x); };  // bound, not read
  const Argument sums = gives_codes(node) ? scratch(0, static_cast<uint64_t>(count) * 4) : output(0);
  out.push_back(direct_dispatch(c, tile_of(node, c, caps), {input(o.x), input(o.w), or_x(o.x_zero), or_x(o.w_zero), sums}, caps,
                                step_of(node, o.w_zero)));
  if (!gives_codes(node)) return;
  const auto [low, high] = bounds_of(node.outputs[0].dtype);
  const int64_t positions = c.windows.out_count(), channels = c.groups * c.channels_out;
  const Params params{to_u32(count),    to_u32(positions), inverse_of(positions), to_u32(channels), inverse_of(channels), step_of(node, kWScale), low, high};
  out.push_back({kRequantize,
                 {sums, input(kXScale), input(kWScale), input(kYScale), input(kYZero), or_x(kBias), output(0)},
                 grid_of(ceil_div(invocations(count, node.outputs[0].dtype), kGroupSize), caps),
                 to_params(params)});
}

Choice choice(const TypedNode& node, const Capabilities& caps) {
  if (node.outputs[0].count() == 0) return {"none", "", "the result is empty", {}};
  return {"direct", direct_tile_text(tile_of(node, convolution_of(node), caps)), std::string("the only one for bytes") + (gives_codes(node) ? "; a second pass makes codes of the sums" : ""), {}};
}

}  // namespace

constinit const Family kIntegerConv{"integer_conv", refuse, programs, launch, nullptr, choice};

}  // namespace dbk::gpu
