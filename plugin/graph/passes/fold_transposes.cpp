// A product of matrices reads either of them transposed as well as straight: Transpose in front of it goes into Gemm's
// attributes.
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// The matrix that `v` is the transposed of; DBK_NONE where it is none.
ValueId turned(const Rewriter& r, ValueId v) {
  const Node* node = r.producer(v);
  return r.permutes(node, {1, 0}) ? node->inputs[0] : DBK_NONE;
}

void fold(Rewriter& r, const Node& product) {
  const bool gemm = product.op_name == "Gemm";
  if (!gemm && (!r.typed(product.inputs[0]) || !r.typed(product.inputs[1]) || r.rank(product.inputs[0]) != 2 ||
                r.rank(product.inputs[1]) != 2))
    return;
  if (!contains(F32 | F16 | F64, r.type(product.inputs[0]).dtype)) return;
  std::vector<ValueId> inputs = product.inputs;
  std::vector<const Node*> absorbed;
  Attributes attrs;
  for (size_t i : {0u, 1u}) {
    const char* name = i == 0 ? "transA" : "transB";
    bool transposed = gemm && product.attrs.integer(name);
    if (const ValueId matrix = turned(r, inputs[i]); matrix != DBK_NONE) {
      if (r.sole_reader(inputs[i]) == &product && inputs[0] != inputs[1]) absorbed.push_back(r.producer(inputs[i]));
      inputs[i] = matrix;
      transposed = !transposed;
    }
    attrs.set(name, int64_t{transposed});
  }
  if (inputs == product.inputs) return;
  if (gemm)
    for (const char* name : {"alpha", "beta"}) attrs.set(name, product.attrs.real(name));
  absorbed.push_back(&product);
  r.replace(std::move(absorbed), Rewriter::make("Gemm", inputs, product.outputs, std::move(attrs)));
}

}  // namespace

void fold_transposes(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i)
    if (const Node* node = r.at(i); is_op(node, "MatMul") || is_op(node, "Gemm")) fold(r, *node);
}

}  // namespace dbk
