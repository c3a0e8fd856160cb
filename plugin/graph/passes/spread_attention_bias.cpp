// The bias of MultiHeadAttention is one of three projections side by side. Added to each of them, it becomes part of their products, and
// what is left has a kernel.
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

constexpr size_t kBias = 3;  // queries, keys and values come before it

// Columns of an operand of three axes; nothing where they may differ from run to run.
std::optional<int64_t> columns_of(const Rewriter& r, ValueId v) {
  return r.typed(v) && r.rank(v) == 3 ? r.extents().constant(r.extents().of(v)[2]) : std::nullopt;
}

void spread(Rewriter& r, const Node& node) {
  std::vector<ValueId> inputs = node.inputs;
  std::vector<int64_t> columns;
  for (size_t i = 0; i < kBias; ++i) {
    const auto count = inputs[i] == DBK_NONE ? std::nullopt : columns_of(r, inputs[i]);
    if (!count) return r.miss(node, "the columns of queries, keys and values are not known");
    columns.push_back(*count);
  }
  const DType dtype = r.type(inputs[0]).dtype;
  const ValueId axis = r.add_integers({0});
  int64_t first = 0;
  for (size_t i = 0; i < kBias; ++i) {
    const ValueId part = r.add_value({dtype, {}}), sum = r.add_value({dtype, {}});
    r.insert(Rewriter::make("Slice", {inputs[kBias], r.add_integers({first}), r.add_integers({first + columns[i]}), axis}, {part}), node);
    r.insert(Rewriter::make("Add", {inputs[i], part}, {sum}), node);
    inputs[i] = sum;
    first += columns[i];
  }
  inputs[kBias] = DBK_NONE;
  while (inputs.back() == DBK_NONE) inputs.pop_back();
  r.replace({&node}, Rewriter::make("MultiHeadAttention", std::move(inputs), node.outputs, node.attrs, "com.microsoft"));
}

}  // namespace

void spread_attention_bias(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    const bool attention = node && node->domain == "com.microsoft" && node->op_name == "MultiHeadAttention";
    if (attention && node->inputs.size() > kBias && node->inputs[kBias] != DBK_NONE) spread(r, *node);
  }
}

}  // namespace dbk
