// Products with an element-wise expression behind them (FusedMatMul, FusedGemm ...): the node has the attributes of the
// product's op, `product_inputs` (how many inputs are the product's; the others are operands of the expression from 1 on) and
// `expression`, whose operand 0 is the product. It is computed where the product lies, unless a cast makes the result another type: then
// the product is in work memory.
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

// Applies the expression of a node to the product, which may be out(0).
void apply_epilogue(Compute& c, const Tensor& product);

// The type of the expression of a node, after checking that it keeps the product's shape, and its elements but for a cast.
TensorType infer_epilogue(const Infer& infer, const TensorType& product);

// Bytes of the product of a node where it does not lie in the result; `op` computes it.
int64_t product_work_bytes(const HostOp& op, const Compute& c);

// Where the product of a result lies: there, or in work memory.
inline Tensor product_of(const Compute& c, const Tensor& result, std::byte* work) {
  const DType dtype = c.in(0).type.dtype;
  return dtype == result.type.dtype ? result : Tensor{{dtype, result.shape()}, work};
}

template <const HostOp& Product>
void infer_fused(Infer& infer) {
  TensorType product;
  Infer rule(infer.node(), infer.inputs().first(product_inputs(infer.attrs())), {&product, 1});
  Product.infer(rule);
  const TensorType result = infer_epilogue(infer, product);
  infer.out(0, result.dtype, result.shape);
}

template <const HostOp& Product>
void compute_fused(Compute& c) {
  Tensor product = product_of(c, c.out(0), c.work());
  Compute own(c.node(), c.inputs().first(product_inputs(c.attrs())), {&product, 1});
  Product.compute(own);
  apply_epilogue(c, product);
}

template <const HostOp& Product>
int64_t fused_work_bytes(const Compute& c) {
  return product_work_bytes(Product, c);
}

template <const HostOp& Product, DTypeSet Set>
inline constexpr HostOp with_epilogue{.dtypes = Set, .shape_inputs = 0, .infer = infer_fused<Product>, .compute = compute_fused<Product>,
                                      .work_bytes = fused_work_bytes<Product>};

}  // namespace dbk
