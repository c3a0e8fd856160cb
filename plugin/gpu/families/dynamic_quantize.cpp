// DynamicQuantizeLinear: the range of the numbers, scale and zero point from it, then QuantizeLinear's program with
// them.
#include "plugin/gpu/families/convert.h"
#include "plugin/gpu/families/families.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, parts, pad[2];
};
static_assert(sizeof(Params) == 16);

constexpr uint32_t kParts = 64;

constexpr Convert kCodes{.functor = "quantize_linear",
                         .from = DBK_F32,
                         .to = DBK_U8,
                         .conversion = {},
                         .scale = DBK_F32,
                         .zero = DBK_U8,
                         .bounded = true};

std::string refuse(const TypedNode& node, const Capabilities& caps) { return refuse_operands(node, caps); }

enum : uint32_t { kRange, kScale, kQuantize };  // programs

void programs(const TypedNode&, const Capabilities&, std::vector<Program>& out) {
  ProgramText range, scale;
  range.file("_number_f32").file("dynamic_quantize_linear_fold").file("dynamic_quantize_linear_range");
  scale.file("_number_f32")
      .file("_math")
      .file("_quotient")
      .file("dynamic_quantize_linear_fold")
      .file("dynamic_quantize_linear_scale");
  out.push_back({"dynamic_quantize_linear/range", range, 1, 1});
  out.push_back({"dynamic_quantize_linear/scale", scale, 1, 2});
  out.push_back(convert_program(kCodes));
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.inputs[0].count();
  const Argument parts = scratch(0, kParts * 8), scale = wants(node, 1) ? output(1) : scratch(1, 16),
                 zero = wants(node, 2) ? output(2) : scratch(2, 16);
  const std::vector<std::byte> params = to_params(Params{to_u32(count), kParts, {}});
  out.push_back({kRange, {input(0), parts}, {kParts, 1, 1}, params});
  out.push_back({kScale, {parts, scale, zero}, {1, 1, 1}, params});
  if (count == 0 || !wants(node, 0)) return;
  out.push_back(convert_launch(kCodes, node, {}, scale, zero, caps));
  out.back().program = kQuantize;
}

}  // namespace

constinit const Family kDynamicQuantize{"dynamic_quantize", refuse, programs, launch};

}  // namespace dbk::gpu
