// Elementwise (made by passes): the expression in its attribute, over any number of broadcast operands.
#include "host_fallback/expression.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  std::vector<TensorType> operands;
  for (size_t i = 0; i < infer.input_count(); ++i) operands.push_back(infer.in(i));
  const TensorType type = infer_expression(infer.attrs().expression("expression"), operands);
  infer.out(0, type.dtype, type.shape);
}

void compute(Compute& c) { evaluate(c.attrs().expression("expression"), c.inputs(), c.out(0)); }

}  // namespace

extern constinit const HostOp host_elementwise{PLAIN, 0, infer, compute};

}  // namespace dbk
