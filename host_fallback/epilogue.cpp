#include "host_fallback/epilogue.h"

#include <array>

namespace dbk {

void infer_epilogue(Infer& infer, const TensorType& product) {
  std::vector<TensorType> operands{product};
  for (size_t i = product_inputs(infer.attrs()); i < infer.input_count(); ++i) operands.push_back(infer.in(i));
  const TensorType type = infer_expression(infer.attrs().expression("expression"), operands);
  if (!(type == product))
    fail(DBK_INTERNAL, "an epilogue makes {} {} of a product {} {}", to_string(type.dtype), to_string(type.shape), to_string(product.dtype),
         to_string(product.shape));
  infer.out(0, product.dtype, product.shape);
}

void apply_epilogue(Compute& c) {
  std::array<Tensor, Expression::kMaxOperands> operands;
  size_t count = 0;
  operands[count++] = c.out(0);
  for (size_t i = product_inputs(c.attrs()); i < c.input_count(); ++i) operands[count++] = c.in(i);
  evaluate(c.attrs().expression("expression"), {operands.data(), count}, c.out(0));
}

}  // namespace dbk
