// Conv and ConvTranspose: the `direct` program takes everything (conv_direct.h), `line` those over weights on CPU adapters
// (conv_line.h).
#include "plugin/gpu/families/conv_direct.h"
#include "plugin/gpu/families/conv_line.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/spatial.h"

namespace dbk::gpu {

namespace {

constexpr size_t kX = 0, kW = 1, kBias = 2;

bool is_transposed(const TypedNode& node) { return node.op->family == kConvTranspose.name; }

Convolution convolution_of(const TypedNode& node) {
  const Shape &x = node.inputs[kX].shape, &w = node.inputs[kW].shape;
  return is_transposed(node) ? transposed_convolution_of(*node.attrs, x, w) : dbk::convolution_of(*node.attrs, x, w);
}

bool has_bias(const TypedNode& node) { return own_inputs(node) > kBias && node.has(kBias); }

// A node, read once.
ConvNode read(const TypedNode& node) { return {convolution_of(node), is_transposed(node), {has_bias(node), epilogue_of(node)}}; }

DirectConv tile_of(const TypedNode& node, const ConvNode& conv, const Capabilities& caps) {
  return direct_tile(conv.c, node.is_weight.size() > kW && node.is_weight[kW], conv.transposed, caps);
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kX); !reason.empty()) return reason;
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  if (std::string reason = refuse_epilogue(node, epilogue_of(node), caps); !reason.empty()) return reason;
  return refuse_windows(convolution_of(node).windows);
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const ConvNode conv = read(node);
  const auto& [bias, epilogue] = conv.finish;
  const DirectConv tile = tile_of(node, conv, caps);
  const DType dtype = node.inputs[kX].dtype;
  const uint32_t reads = (bias ? 3 : 2) + static_cast<uint32_t>(epilogue.operands.size());
  out.push_back({direct_conv_label(tile, dtype, bias, epilogue), written_by<direct_conv_text>(tile, dtype, bias, epilogue), reads, 1});
  if (refuse_line_conv(node, caps).empty()) line_conv_programs(conv, out);
}

// Empty, or why `line` does not compute it with these extents.
std::string refuse_line(const TypedNode& node, const ConvNode& conv, const Capabilities& caps) {
  std::string why = refuse_line_conv(node, caps);
  return why.empty() ? refuse_line_conv_extents(conv, caps) : why;
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const ConvNode conv = read(node);
  if (refuse_line(node, conv, caps).empty()) return line_conv_launch(conv, caps, 1, out);
  std::vector<Argument> args{input(kX), input(kW)};
  if (conv.finish.has_bias) args.push_back(input(kBias));
  for (const EpilogueOperand& operand : conv.finish.epilogue.operands) args.push_back(input(operand.input));
  args.push_back(output(0));
  out.push_back(direct_dispatch(conv.c, tile_of(node, conv, caps), std::move(args), caps));
}

Choice choice(const TypedNode& node, const Capabilities& caps) {
  if (node.outputs[0].count() == 0) return {"none", "", "the result is empty", {}};
  const ConvNode conv = read(node);
  const std::string no_line = refuse_line(node, conv, caps);
  if (no_line.empty()) return {"line", line_conv_tile(conv), "vector loads, the fastest on CPU adapters", {}};
  Choice choice{"direct", direct_tile_text(tile_of(node, conv, caps)), "takes every convolution", {}};
  if (caps.cpu_adapter) choice.others.push_back({"line", no_line});
  return choice;
}

}  // namespace

constinit const Family kConv{"conv", refuse, programs, launch, nullptr, choice};
constinit const Family kConvTranspose{"conv_transpose", refuse, programs, launch, nullptr, choice};

}  // namespace dbk::gpu
