// A product reads its matrices transposed as well as straight: Transpose in front of it goes into Gemm's attributes, or, where there are
// batches, into the orders of axes of PermutedMatMul.
#include <algorithm>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// The matrix that `v` is the transposed of; DBK_NONE where it is none.
ValueId turned(const Rewriter& r, ValueId v) {
  const Node* node = r.producer(v);
  return r.permutes(node, {1, 0}) ? node->inputs[0] : DBK_NONE;
}

void fold_matrices(Rewriter& r, const Node& product) {
  const bool gemm = product.op_name == "Gemm";
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

// The Transpose that makes an operand of a product; null where there is none that the product can do without. Kernels want neighbours
// along rows or columns, so the last axis of what is transposed must not become one of the batch.
const Node* foldable(Rewriter& r, const Node& product, ValueId operand) {
  const Node* transpose = r.producer(operand, "Transpose");
  if (!transpose || !r.typed(transpose->inputs[0]) || r.rank(operand) < 2) return nullptr;
  const std::vector<int64_t> order = permutation_of(*transpose, r.rank(operand));
  if (std::ranges::find(order, static_cast<int64_t>(order.size()) - 1) < order.end() - 2) return nullptr;
  const bool by_columns = order.back() + 1 != static_cast<int64_t>(order.size());
  const char* why = r.sole_reader(operand) != &product ? " is transposed for others, too"
                    : by_columns && r.options().for_gpu ? " would be read by columns, which is slow on software adapters" : nullptr;
  if (why) r.miss(product, describe(r.graph(), operand) + why);
  return why ? nullptr : transpose;
}

void fold_batches(Rewriter& r, const Node& product) {
  std::vector<ValueId> inputs = product.inputs;
  std::vector<const Node*> absorbed;
  Attributes attrs;
  for (size_t i : {0u, 1u}) {
    const Node* transpose = foldable(r, product, product.inputs[i]);
    if (!transpose) continue;
    attrs.set(i == 0 ? "permA" : "permB", permutation_of(*transpose, r.rank(product.inputs[i])));
    inputs[i] = transpose->inputs[0];
    if (std::ranges::find(absorbed, transpose) == absorbed.end()) absorbed.push_back(transpose);
  }
  if (absorbed.empty()) return;
  absorbed.push_back(&product);
  r.replace(std::move(absorbed), Rewriter::make("PermutedMatMul", inputs, product.outputs, std::move(attrs), "ai.daybreak"));
}

void fold(Rewriter& r, const Node& product) {
  const ValueId a = product.inputs[0], b = product.inputs[1];
  if (is_op(&product, "Gemm")) {
    if (contains(F32 | F16 | F64, r.type(a).dtype)) fold_matrices(r, product);
    return;
  }
  if (!r.typed(a) || !r.typed(b) || r.rank(a) < 2 || r.rank(b) < 2) return;
  if (r.rank(a) == 2 && r.rank(b) == 2) {
    if (contains(F32 | F16 | F64, r.type(a).dtype)) fold_matrices(r, product);
  } else if (contains(F32 | F16, r.type(a).dtype)) {
    fold_batches(r, product);
  }
}

}  // namespace

void fold_transposes(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i)
    if (const Node* node = r.at(i); is_op(node, "MatMul") || is_op(node, "Gemm")) fold(r, *node);
}

}  // namespace dbk
