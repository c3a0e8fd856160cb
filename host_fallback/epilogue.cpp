#include "host_fallback/epilogue.h"

#include <array>

namespace dbk {

namespace {

std::vector<TensorType> operand_types(const TensorType& product, std::span<const InferInput> others) {
  std::vector<TensorType> types{product};
  for (const InferInput& other : others) types.push_back(*other.type);
  return types;
}

}  // namespace

TensorType infer_epilogue(const Infer& infer, const TensorType& product) {
  const auto types = operand_types(product, infer.inputs().subspan(product_inputs(infer.attrs())));
  const TensorType type = infer_expression(infer.attrs().expression("expression"), types);
  const bool cast = contains(F32 | F16, type.dtype) && contains(F32 | F16, product.dtype);
  if (type.shape != product.shape || (type.dtype != product.dtype && !cast))
    fail(DBK_INTERNAL, "an epilogue makes {} {} of a product {} {}", to_string(type.dtype), to_string(type.shape), to_string(product.dtype),
         to_string(product.shape));
  return type;
}

int64_t product_work_bytes(const HostOp& op, const Compute& c) {
  const size_t own = product_inputs(c.attrs());
  std::vector<InferInput> inputs(c.input_count());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (c.has(i)) inputs[i].type = &c.in(i).type;
  TensorType product;
  Infer rule(c.node(), std::span(inputs).first(own), {&product, 1});
  op.infer(rule);
  const TensorType result = infer_expression(c.attrs().expression("expression"), operand_types(product, std::span(inputs).subspan(own)));
  return result.dtype == product.dtype ? 0 : product.bytes();
}

void apply_epilogue(Compute& c, const Tensor& product) {
  std::array<Tensor, Expression::kMaxOperands> operands;
  size_t count = 0;
  operands[count++] = product;
  for (size_t i = product_inputs(c.attrs()); i < c.input_count(); ++i) operands[count++] = c.in(i);
  evaluate(c.attrs().expression("expression"), {operands.data(), count}, c.out(0));
}

}  // namespace dbk
