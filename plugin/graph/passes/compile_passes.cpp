#include "plugin/graph/passes/compile_passes.h"

#include "plugin/graph/passes/compile_bodies.h"
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

enum When : uint8_t {
  kFusing,
  kFusingOutside,  // of bodies: what is computed from weights is computed for the graph as a whole
  kForGpu,         // with or without fusion
  kFusingOrForGpu,
};
struct Pass {
  const char* name;
  void (*run)(Rewriter&);
  When when = kFusing;
};

bool wanted(const Pass& pass, const PassOptions& passes, bool in_body) {
  if (passes.for_gpu && (pass.when == kForGpu || pass.when == kFusingOrForGpu)) return true;
  return passes.fuses && pass.when != kForGpu && !(in_body && pass.when == kFusingOutside);
}

// In this order, each once.
constexpr Pass kPasses[] = {
    // What is not worth looking at any more.
    {"constant folding", fold_constants},
    {"shapes", settle_shapes},
    {"batched transpose", unfold_transposes},
    {"packed heads", unpack_heads},
    {"no-op", remove_no_ops},
    {"common subexpression", share_equal_nodes},
    {"dead code", remove_dead_nodes},
    // Nodes that stand for several.
    {"einsum", lower_einsum, kFusingOrForGpu},
    {"dynamic product", lower_dynamic_matmul, kForGpu},
    {"attention bias", spread_attention_bias},
    {"weight preparation", prepare_weights, kFusingOutside},
    {"gemm", lower_gemm, kFusingOutside},
    {"weight preparation", prepare_weights, kFusingOutside},
    // Formulas that have an op.
    {"gelu", match_gelu},
    {"normalization", match_normalization},
    {"rotary", match_rotary},
    {"rotary", match_rotary_pairs},
    {"rotary heads", turn_heads},
    {"attention", match_attention},
    {"attention heads", merge_heads},
    // Fewer nodes by other weights.
    {"projections", join_projections, kFusingOutside},
    {"rotary pair", join_rotations},
    {"batch normalization", fold_batch_normalization, kFusingOutside},
    {"transposed operand", fold_transposes},
    // What the patterns above have left.
    {"wider elements", widen_elements, kForGpu},
    {"dead code", remove_dead_nodes},
    {"weight preparation", prepare_weights, kFusingOutside},
    // Fewer steps out of what is left; expressions hide their nodes from all other passes, so these come last.
    {"epilogue", fuse_epilogues},
    {"split product", split_products},
    {"residual normalization", fuse_residual_norms},
    {"element-wise chain", fuse_elementwise},
};

// Rewriting keeps the types of values, so they are inferred where there are new ones, and for good at the end.
void compile(Graph& graph, Types& types, const InferOptions& options, const PassOptions& passes) {
  Extents extents(graph, types);
  bool stale = false;
  const auto update = [&](bool infers) {
    if (infers) types = infer(graph, options);
    extents = Extents(graph, types);
    stale = !infers;
  };
  const auto compile_body = [&passes](Graph& body, Types& known, const InferOptions& inner) { compile(body, known, inner, passes); };
  if (compile_bodies(graph, types, extents, options, compile_body)) update(true);
  for (const Pass& pass : kPasses) {
    if (!wanted(pass, passes, graph.is_body)) continue;
    Rewriter rewriter(graph, types, extents, passes, pass.name);
    pass.run(rewriter);
    rewriter.finish();
    if (rewriter.changed()) update(rewriter.added_values());
  }
  if (stale) types = infer(graph, options);
}

}  // namespace

void compile_passes(Graph& graph, Types& types, const PassOptions& passes) {
  if (passes.fuses || passes.for_gpu) compile(graph, types, {representative_extents(graph), {}, {}}, passes);
}

}  // namespace dbk
