// Pow with an exponent of another type than the base: kernels/_binary_strided.wgsl, an element at a time, with the file that reads exponents and
// fits them to the base. Integers to the power of floats need double, which no kernel has.
#include "plugin/gpu/families/functor.h"
#include "plugin/gpu/families/strides.h"
#include "plugin/gpu/families/two_operands.h"

namespace dbk::gpu {

namespace {

constexpr DTypeSet kReals = F32 | F16 | BF16;

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const DType base = node.inputs[0].dtype, exponent = node.inputs[1].dtype;
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (!contains(INTS | (contains(kReals, base) ? kReals : 0), exponent))
    return std::format("no kernel raises {} to powers of {}", to_string(base), to_string(exponent));
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_rank(broadcast_loop(node));
}

// The file that gives `combined`, and what it needs to know of the exponents.
void add_exponent(ProgramText& text, DType base, DType exponent) {
  text.constant("b_bits", std::min(bits_of(exponent), 32u)).constant("b_pair", bits_of(exponent) == 64);
  if (contains(kReals, exponent)) {
    text.constant("b_brain", exponent == DBK_BF16).file("_power_real");
    return;
  }
  text.constant("b_signed", contains(I8 | I16 | I32 | I64, exponent)).file("_power_exponent");
  text.file(std::format("_power_{}", number_kind(base)));
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType base = node.inputs[0].dtype, exponent = node.inputs[1].dtype;
  const uint32_t dims = dims_for(node.outputs[0].shape.rank());
  ProgramText text;
  text.constant("dims", dims).arithmetic(base).reads(base).alias("made", number_type(base)).writes(base);
  text.alias("other", "u32").file("_binary_strided").file("_places").file("_divide");
  add_exponent(text, base, exponent);
  add_functor(text, functor_of(*node.op, *node.attrs, base), base);
  out.push_back({std::format("pow/{}/{}/{}d", to_string(base), to_string(exponent), dims), text, 2, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  std::vector<std::byte> params = to_params(StridedParams{to_u32(count), {}});
  append_dims(params, broadcast_loop(node), dims_for(node.outputs[0].shape.rank()));
  out.push_back({0,
                 {input(0), input(1), output(0)},
                 grid_of(ceil_div(invocations(count, node.inputs[0].dtype), kGroupSize), caps),
                 std::move(params)});
}

}  // namespace

constinit const Family kMixedPower{"mixed_power", refuse, programs, launch};

}  // namespace dbk::gpu
