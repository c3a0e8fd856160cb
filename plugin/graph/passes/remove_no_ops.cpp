// Nodes without which the values stay the same, bit by bit.
#include <algorithm>
#include <cmath>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

bool is_view(const Node* node) {
  return is_op(node, "Reshape") || is_op(node, "Flatten") || is_op(node, "Squeeze") || is_op(node, "Unsqueeze") ||
         is_op(node, "Identity");
}

// x - 0, x * 1, x / 1; x + 0 is another number for x = -0, x + -0 is not.
bool is_neutral(const Node& node, const Rewriter& r, size_t operand) {
  const std::optional<double> number = r.scalar(node.inputs[operand]);
  if (!number || !r.typed(node.outputs[0])) return false;
  const bool is_float = contains(FLOATS, r.type(node.outputs[0]).dtype);
  if (node.op_name == "Mul") return *number == 1;
  if (node.op_name == "Add") return *number == 0 && (!is_float || std::signbit(*number));
  if (operand != 1) return false;
  return node.op_name == "Div" ? *number == 1 : *number == 0 && !std::signbit(*number);
}

// The operand that the result of an arithmetic node equals, in elements and shape; DBK_NONE where there is none.
ValueId unchanged_operand(const Node& node, const Rewriter& r) {
  for (size_t operand : {0u, 1u}) {
    const ValueId kept = node.inputs[1 - operand];
    if (is_neutral(node, r, operand) && r.typed(kept) && r.rank(node.inputs[operand]) <= r.rank(kept)) return kept;
  }
  return DBK_NONE;
}

bool is_no_op(const Node& node, const Rewriter& r) {
  if (is_op(&node, "Identity")) return true;
  if (is_op(&node, "Cast"))
    return r.typed(node.inputs[0]) && r.typed(node.outputs[0]) &&
           r.type(node.inputs[0]).dtype == r.type(node.outputs[0]).dtype;
  if (is_op(&node, "Concat")) return node.inputs.size() == 1;
  if (!is_op(&node, "Transpose") || !r.typed(node.inputs[0])) return false;
  return std::ranges::is_sorted(permutation_of(node, r.rank(node.inputs[0])));
}

// A Transpose of a Transpose is one, a Reshape of a view is one of what that shows.
void merge_with_producer(const Node& node, Rewriter& r) {
  const Node* before = r.producer(node.inputs[0]);
  if (is_op(&node, "Transpose") && is_op(before, "Transpose") && r.typed(before->inputs[0])) {
    const uint32_t rank = r.rank(before->inputs[0]);
    const std::vector<int64_t> first = permutation_of(*before, rank), second = permutation_of(node, rank);
    std::vector<int64_t> both;
    for (int64_t axis : second) both.push_back(first[static_cast<size_t>(axis)]);
    Attributes attrs;
    attrs.set("perm", both);
    r.replace({&node}, Rewriter::make("Transpose", {before->inputs[0]}, node.outputs, std::move(attrs)));
  } else if (is_op(&node, "Reshape") && is_view(before)) {
    const auto extents = r.integers(node.inputs[1]);
    const bool copies =
        !extents || std::ranges::find(*extents, 0) != extents->end();  // 0: as in the value between them
    if (!copies) r.replace({&node}, Rewriter::make("Reshape", {before->inputs[0], node.inputs[1]}, node.outputs));
  }
}

}  // namespace

void remove_no_ops(Rewriter& r) {
  for (size_t i = 0; i < r.count(); ++i) {
    const Node* node = r.at(i);
    if (!node || !node->op || !node->domain.empty() || node->inputs.empty()) continue;
    const bool arithmetic =
        node->op_name == "Add" || node->op_name == "Sub" || node->op_name == "Mul" || node->op_name == "Div";
    const ValueId same = is_no_op(*node, r) ? node->inputs[0] : arithmetic ? unchanged_operand(*node, r) : DBK_NONE;
    if (same != DBK_NONE)
      r.bypass(*node, node->outputs[0], same);
    else
      merge_with_producer(*node, r);
  }
}

}  // namespace dbk
