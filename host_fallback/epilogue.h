// Products with an element-wise expression behind them (FusedMatMul, FusedGemm ...): the node has the attributes of the
// product's op, `product_inputs` (how many inputs are the product's; the others are operands of the expression from 1 on) and
// `expression`, whose operand 0 is the product. Its result has the product's type, so it is computed where the product lies.
#pragma once

#include "host_fallback/expression.h"
#include "host_fallback/op.h"

namespace dbk {

inline bool has_epilogue(const Attributes& attrs) { return attrs.has("product_inputs"); }
inline size_t product_inputs(const Attributes& attrs) { return static_cast<size_t>(attrs.integer("product_inputs")); }
// The inputs of a node, or of the product alone where there is an epilogue.
template <class T>
std::span<const T> without_epilogue(const Attributes& attrs, std::span<const T> inputs) {
  return has_epilogue(attrs) ? inputs.first(product_inputs(attrs)) : inputs;
}

// Applies the expression of a node to the product in out(0).
void apply_epilogue(Compute& c);

// Sets out(0), which is the product's type, after checking that the expression keeps it.
void infer_epilogue(Infer& infer, const TensorType& product);

template <const HostOp& Product>
void infer_fused(Infer& infer) {
  TensorType product;
  Infer rule(infer.node(), infer.inputs().first(product_inputs(infer.attrs())), {&product, 1});
  Product.infer(rule);
  infer_epilogue(infer, product);
}

template <const HostOp& Product>
void compute_fused(Compute& c) {
  Compute product(c.node(), c.inputs().first(product_inputs(c.attrs())), {&c.out(0), 1});
  Product.compute(product);
  apply_epilogue(c);
}

template <const HostOp& Product, DTypeSet Set>
inline constexpr HostOp with_epilogue{Set, 0, infer_fused<Product>, compute_fused<Product>};

}  // namespace dbk
