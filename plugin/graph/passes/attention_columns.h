// Ops of the attention family as readers of queries, keys and values, their first three operands, that are columns of one product.
#pragma once

#include <array>

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

// Operands [begin, 3) of attention, all of them or keys and values, as columns of one value.
struct AttentionColumns {
  size_t begin = 0;
  ValueId whole = DBK_NONE;  // none while it is not made
  std::array<int64_t, 3> first{}, width{};
  int64_t total = 0;  // columns of the whole
};

// ai.daybreak.Attention, ONNX's, MultiHeadAttention or GroupQueryAttention, over three operands. False also for null.
bool is_attention(const Node* node);

// Empty, or why this node cannot read its operands so.
std::string refuse_columns(const Rewriter& r, const Node& attention, const AttentionColumns& columns);
// The node that does; the whole must be there.
Node reading_columns(const Rewriter& r, const Node& attention, const AttentionColumns& columns);

// The op and its extents, as far as they tell forms of layers apart: "heads=12 queries=1x128 keys=1x128 mask causal" of
// ai.daybreak.Attention, others have their name in front of it.
std::string describe_attention(const Rewriter& r, const Node& attention);

// Whether it can be measured with invented operands: positions that are read by runs must be legal when they are 0.
bool runs_alone(const Rewriter& r, const Node& attention);

}  // namespace dbk
