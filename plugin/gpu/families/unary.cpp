// Element-wise ops of one operand, with the functor kernels/<op>.wgsl: kernels/_unary.wgsl, four elements per invocation, or
// kernels/_unary_line.wgsl on CPU adapters; types without vectors of four have kernels/_unary_each.wgsl.
#include "plugin/gpu/families/expression_text.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/functor.h"
#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count;  // of vectors, or of elements
  float alpha, beta;
  uint32_t zero;
};
static_assert(sizeof(Params) == 16);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

bool has_line(const TypedNode& node, const Capabilities& caps) {
  return line_possible(caps) && node.inputs[0].dtype == DBK_F32;
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const std::string functor = functor_of(*node.op, *node.attrs);
  if (!has_vectors(dtype)) {
    ProgramText text;
    text.arithmetic(dtype).alias("made", number_type(dtype)).reads(dtype).writes(dtype).file("_unary_each");
    add_functor(text, functor, dtype);
    out.push_back({std::format("{}/{}", functor, to_string(dtype)), text, 1, 1});
    return;
  }
  for (bool line : {false, true}) {
    if (line && !has_line(node, caps)) break;
    ProgramText text;
    text.arithmetic(dtype).file(line ? "_unary_line" : "_unary");
    add_functor(text, functor, dtype);
    if (line) text.enable("subgroups").file("_line").file("_line_store");
    out.push_back({std::format("{}/{}{}", functor, to_string(dtype), line ? "/line" : ""), text, 1, 1});
  }
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const DType dtype = node.inputs[0].dtype;
  const uint64_t vectors = ceil_div(count, 4);
  const auto [alpha, beta] = functor_attributes(*node.op, *node.attrs);
  const Params params{has_vectors(dtype) ? static_cast<uint32_t>(vectors) : to_u32(count), alpha, beta, 0};
  if (!has_vectors(dtype)) {
    out.push_back({0, {input(0), output(0)}, grid_of(ceil_div(invocations(count, dtype), kGroupSize), caps), to_params(params)});
    return;
  }
  const uint32_t program = has_line(node, caps) && vectors >= kLineVectors ? 1 : 0;
  // Both take 64 vectors per workgroup.
  out.push_back({program, {input(0), output(0)}, grid_of(ceil_div(vectors, kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kUnary{"unary", refuse, programs, launch};

}  // namespace dbk::gpu
