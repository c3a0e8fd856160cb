// QuantizeLinear and DequantizeLinear: kernels/_convert.wgsl.
#include "host_fallback/cast.h"
#include "host_fallback/quantize_linear.h"
#include "plugin/gpu/families/convert.h"
#include "plugin/gpu/families/families.h"

namespace dbk::gpu {

namespace {

constexpr DTypeSet kScales = F32 | F16 | BF16 | F8_E8M0FNU;

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (!contains(kScales, node.inputs[1].dtype))
    return std::format("no kernel reads scales of {}", to_string(node.inputs[1].dtype));
  if (!contains(kThroughFloat, node.outputs[0].dtype))
    return std::format("no kernel quantises to {}", to_string(node.outputs[0].dtype));
  return refuse_operands(node, caps);
}

Convert common(const TypedNode& node) {
  Convert c{.functor = {}, .from = node.inputs[0].dtype, .to = node.outputs[0].dtype, .conversion = {}};
  c.scale = node.inputs[1].dtype;
  if (node.has(2)) c.zero = node.inputs[2].dtype;
  c.spread = node.inputs[1].shape.rank() > 0;
  return c;
}

Convert quantize_of(const TypedNode& node) {
  Convert c = common(node);
  c.functor = "quantize_linear";
  c.conversion = conversion_of(*node.attrs);
  c.quotient = quotient_type(*node.attrs, c.scale);
  c.bounded = !contains(SMALL_FLOATS, c.to);
  return c;
}

Convert dequantize_of(const TypedNode& node) {
  Convert c = common(node);
  c.functor = "dequantize_linear";
  return c;
}

template <Convert (*of)(const TypedNode&)>
void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  out.push_back(convert_program(of(node)));
}

template <Convert (*of)(const TypedNode&)>
void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const Granularity g = granularity_of(node.inputs[0].shape, node.inputs[1].shape, node.attrs->integer_or("axis", 1),
                                       node.attrs->integer_or("block_size", 0));
  out.push_back(convert_launch(of(node), node, g, input(1), input(2), caps));
}

}  // namespace

constinit const Family kQuantize{"quantize", refuse, programs<quantize_of>, launch<quantize_of>};
constinit const Family kDequantize{"dequantize", refuse, programs<dequantize_of>, launch<dequantize_of>};

}  // namespace dbk::gpu
