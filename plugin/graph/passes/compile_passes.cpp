#include "plugin/graph/passes/compile_passes.h"

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

struct Pass {
  const char* name;
  void (*run)(Rewriter&);
};

// In this order, each once.
constexpr Pass kPasses[] = {
    // What is not worth looking at any more.
    {"constant folding", fold_constants},
    {"shapes", settle_shapes},
    {"batched transpose", unfold_transposes},
    {"no-op", remove_no_ops},
    {"common subexpression", share_equal_nodes},
    {"dead code", remove_dead_nodes},
    {"weight preparation", prepare_weights},
    // Formulas that have an op.
    {"gelu", match_gelu},
    {"normalization", match_normalization},
    {"rotary", match_rotary},
    {"attention", match_attention},
    // Fewer nodes by other weights.
    {"packed projections", pack_projections},
    {"batch normalization", fold_batch_normalization},
    {"transposed operand", fold_transposes},
    // What the patterns above have left.
    {"dead code", remove_dead_nodes},
    {"weight preparation", prepare_weights},
    // Fewer steps out of what is left; expressions hide their nodes from all other passes, so these come last.
    {"epilogue", fuse_epilogues},
    {"residual normalization", fuse_residual_norms},
    {"element-wise chain", fuse_elementwise},
};

}  // namespace

void compile_passes(Graph& graph, Types& types) {
  Extents extents(graph, types);
  for (const Pass& pass : kPasses) {
    Rewriter rewriter(graph, types, extents, pass.name);
    pass.run(rewriter);
    if (!rewriter.changed()) continue;
    rewriter.finish();
    types = infer(graph, {representative_extents(graph), {}, {}});
    extents = Extents(graph, types);
  }
}

}  // namespace dbk
