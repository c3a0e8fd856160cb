#include "plugin/graph/passes/attention_columns.h"

#include <algorithm>
#include <format>

#include "host_fallback/group_query_attention.h"
#include "plugin/graph/passes/column_window.h"

namespace dbk {

namespace {

constexpr const char* kFirst[] = {"q_first", "k_first", "v_first"};  // of ai.daybreak.Attention

// What operands and attributes say, op by op.
struct Facts {
  std::string_view id;
  const char *name, *heads, *causal;
  std::array<size_t, 2> masks;  // inputs
  size_t past;
};
constexpr size_t kNone = AttentionRoles::kNone;
constexpr Facts kFacts[] = {
    {"daybreak_attention", "", "heads", "causal", {3, kNone}, kNone},
    {"attention", "ai.onnx.Attention ", "q_num_heads", "is_causal", {3, 6}, 4},
    {"multi_head_attention", "MultiHeadAttention ", "num_heads", "unidirectional", {4, 5}, 6},
    {"group_query_attention", "GroupQueryAttention ", "num_heads", "causal", {GroupQuery::kBias, kNone}, GroupQuery::kPastKey},
};

bool is_grouped(const Node& attention) { return attention.op->id == "group_query_attention"; }
bool is_windowed(const Node& attention) { return attention.op->id == "daybreak_attention"; }

bool has(const Node& node, size_t i) { return i < node.inputs.size() && node.inputs[i] != DBK_NONE; }

// Its packed form is queries, keys and values, in this order and nothing else.
std::string refuse_grouped(const Node& attention, const AttentionColumns& c) {
  if (c.begin > 0) return "GroupQueryAttention reads keys and values beside queries only";
  const int64_t heads = attention.attrs.integer("num_heads"), shared = attention.attrs.integer("kv_num_heads");
  const bool in_order = c.first[0] == 0 && c.first[1] == c.width[0] && c.first[2] == c.first[1] + c.width[1] && c.total == c.first[2] + c.width[2];
  if (!in_order || c.width[1] != c.width[2] || c.width[0] * shared != c.width[1] * heads) return "GroupQueryAttention reads queries, keys and values in this order and nothing else";
  return "";
}

}  // namespace

bool is_attention(const Node* node) {
  if (!node || !node->op || !has(*node, 0) || !has(*node, 1) || !has(*node, 2)) return false;
  return std::ranges::find(kFacts, node->op->id, &Facts::id) != std::end(kFacts);
}

std::string refuse_columns(const Rewriter& r, const Node& attention, const AttentionColumns& columns) {
  if (is_grouped(attention)) return refuse_grouped(attention, columns);
  if (is_windowed(attention)) {
    for (size_t i = columns.begin; i < 3; ++i)
      if (attention.attrs.integer(kFirst[i]) != 0) return "attention reads some columns of each only";
    return "";
  }
  if (attention.attrs.has(kAttentionWindows)) return "attention reads some columns of each only";
  if (attention.op->id == "multi_head_attention" && has(attention, 3)) return "MultiHeadAttention adds a bias to its operands";
  for (size_t i = 0; i < columns.begin; ++i)
    if (r.rank(attention.inputs[i]) != 3 || !columns_of(r, attention.inputs[i])) return "the columns of the queries are not known";
  return "";
}

Node reading_columns(const Rewriter& r, const Node& attention, const AttentionColumns& columns) {
  Node made = attention;
  std::fill(made.inputs.begin() + static_cast<ptrdiff_t>(columns.begin), made.inputs.begin() + 3, columns.whole);
  if (is_grouped(attention)) {
    made.inputs[1] = made.inputs[2] = DBK_NONE;
  } else if (is_windowed(attention)) {
    made.attrs = Rewriter::without(attention.attrs, "_first");
    for (size_t i = 0; i < 3; ++i) made.attrs.set(kFirst[i], i < columns.begin ? attention.attrs.integer(kFirst[i]) : columns.first[i]);
  } else {
    std::vector<int64_t> windows;
    for (size_t i = 0; i < 3; ++i) {
      const bool whole = i < columns.begin;
      windows.insert(windows.end(), {whole ? 0 : columns.first[i], whole ? *columns_of(r, attention.inputs[i]) : columns.width[i]});
    }
    made.attrs.set(kAttentionWindows, std::move(windows));
  }
  return made;
}

std::string describe_attention(const Rewriter& r, const Node& attention) {
  const Facts& facts = *std::ranges::find(kFacts, attention.op->id, &Facts::id);
  const auto extent = [&](size_t operand, uint32_t axis) {
    const Shape& shape = r.type(attention.inputs[operand]).shape;
    return axis < shape.rank() ? shape[axis] : 1;
  };
  std::string text = std::format("{}heads={} queries={}x{} keys={}x{}", facts.name, attention.attrs.integer_or(facts.heads, 0), extent(0, 0),
                                 extent(0, 1), extent(1, 0), extent(1, 1));
  if (has(attention, facts.past)) text += std::format(" past={}", extent(facts.past, 2));
  if (has(attention, facts.masks[0]) || has(attention, facts.masks[1])) text += " mask";
  if (attention.attrs.integer_or(facts.causal, 0) != 0) text += " causal";
  return text + (attention.attrs.integer_or("do_rotary", 0) != 0 ? " rotary" : "");
}

bool runs_alone(const Rewriter& r, const Node& attention) {
  if (!is_grouped(attention)) return true;
  const auto& total = r.types().known[attention.inputs[GroupQuery::kTotal]];
  const int64_t queries = r.type(attention.inputs[0]).shape[1];
  return total && (queries == 1 || to_integers(total->view())[0] == queries);
}

}  // namespace dbk
