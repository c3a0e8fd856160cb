// The passes: each rewrites a graph in one way, in the file of its name. compile_passes.cpp has the order.
#pragma once

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

// Nodes over constants alone, with small results, become constants.
void fold_constants(Rewriter& r);
// Shapes that a graph computes become constants as far as they are.
void settle_shapes(Rewriter& r);
// Einsum of one operand or two becomes sums, products and transposes.
void lower_einsum(Rewriter& r);
// Gemm with a weight becomes MatMul and Add, where other passes can do more with these.
void lower_gemm(Rewriter& r);
// DynamicQuantizeMatMul becomes codes and their product.
void lower_dynamic_matmul(Rewriter& r);
// Transposes of a matrix per batch by way of one batch axis become one Transpose.
void unfold_transposes(Rewriter& r);
// Queries, keys and values that are taken out of five axes are taken by columns.
void unpack_heads(Rewriter& r);
// Nodes that only move their input on, or undo each other, go.
void remove_no_ops(Rewriter& r);
// Of nodes that compute the same from the same, one stays.
void share_equal_nodes(Rewriter& r);
// Nodes whose results nobody reads go.
void remove_dead_nodes(Rewriter& r);
// Activations that exporters write out: Gelu, Swish.
void match_gelu(Rewriter& r);
// Normalisations that exporters write out: LayerNormalization, RMSNormalization.
void match_normalization(Rewriter& r);
// Rotary position embedding that exporters write out: ai.daybreak.Rotary.
void match_rotary(Rewriter& r);
// The same written out for halves or neighbours, with tables of half the width.
void match_rotary_pairs(Rewriter& r);
// Heads are turned where they lie, side by side: ai.daybreak.RotaryHeads.
void turn_heads(Rewriter& r);
// Queries and keys are turned by one node.
void join_rotations(Rewriter& r);
// Attention that exporters write out: ai.daybreak.Attention.
void match_attention(Rewriter& r);
// Attention of ONNX reads heads side by side, where only Transposes bring them into an axis of their own.
void merge_heads(Rewriter& r);
// The bias of MultiHeadAttention goes to the projections it belongs to.
void spread_attention_bias(Rewriter& r);
// Products of one input become one, where the device wants that: for attention to read, or to be taken apart.
void join_projections(Rewriter& r);
// BatchNormalization behind a convolution or product with weights goes into the weights.
void fold_batch_normalization(Rewriter& r);
// Transpose in front of products goes into Gemm, or into PermutedMatMul.
void fold_transposes(Rewriter& r);
// Nodes whose elements no GPU kernel has are computed in a wider type.
void widen_elements(Rewriter& r);
// Nodes over weights alone move to the prologue: their results are weights.
void prepare_weights(Rewriter& r);
// Element-wise nodes behind a product (bias, activation, residual) become part of it.
void fuse_epilogues(Rewriter& r);
// A product whose columns are taken apart writes the parts.
void split_products(Rewriter& r);
// A residual sum goes into the normalisation behind it, which keeps it for others.
void fuse_residual_norms(Rewriter& r);
// Chains of element-wise nodes become one.
void fuse_elementwise(Rewriter& r);

}  // namespace dbk
