// Element-wise ops of one operand whose results are bools: kernels/_unary_each.wgsl with the functor kernels/<op>.wgsl.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/functor.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count;
  float alpha, beta;
  uint32_t zero;
};
static_assert(sizeof(Params) == 16);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  ProgramText text;
  text.arithmetic(dtype).reads(dtype).alias("made", "bool").writes(DBK_BOOL).file("_unary_each").file(node.op->id);
  out.push_back({std::format("{}/{}", node.op->id, to_string(dtype)), text, 1, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const auto [alpha, beta] = functor_attributes(*node.op, *node.attrs);
  const Params params{to_u32(count), alpha, beta, 0};
  out.push_back({0, {input(0), output(0)}, grid_of(ceil_div(invocations(count, DBK_BOOL), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kPredicate{"predicate", refuse, programs, launch};

}  // namespace dbk::gpu
