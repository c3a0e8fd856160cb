// How extents and whole numbers go through each op, as expressions. An op without a rule gives unknowns, or constants
// where all it reads has constant extents; a rule that is missing can therefore prevent a fusion but never make a wrong
// one.
#pragma once

#include "plugin/graph/extent_bodies.h"

namespace dbk {

class ExtentRules {
 public:
  ExtentRules(const Graph& graph, const Types& types, Extents& result);
  void run(std::span<const Extents::KnownDims> inputs);

 private:
  using Dims = std::vector<Extent>;
  using Rule = bool (ExtentRules::*)(const Node&);  // false: no more is known than the rank
  struct Row {
    std::string_view op;
    Rule rule;
  };
  static const Row kRows[];

  void start(ValueId v);
  void start_input(ValueId v, const Extents::KnownDims& given);
  void visit(const Node& node);
  bool has_certain_rank(const Node& node, ValueId output) const;
  bool depends_on_nothing(const Node& node) const;
  Rule rule_of(const Node& node) const;

  // Shapes of results.
  bool broadcast_all(const Node& node);  // element-wise ops of any number of operands
  bool like_first(const Node& node);
  bool residual_norm(const Node& node);
  bool rotary_heads(const Node& node);
  bool matmul(const Node& node);
  bool split_matmul(const Node& node);
  bool gemm(const Node& node);
  bool transpose(const Node& node);
  bool reduce(const Node& node);
  bool concat(const Node& node);
  bool gather(const Node& node);
  bool gather_nd(const Node& node);
  bool range(const Node& node);
  bool slice(const Node& node);
  bool reshape(const Node& node);
  bool flatten(const Node& node);
  bool squeeze(const Node& node);
  bool unsqueeze(const Node& node);
  bool expand(const Node& node);
  bool constant_of_shape(const Node& node);
  bool shape(const Node& node);
  bool size(const Node& node);
  bool split(const Node& node);
  bool convolution(const Node& node);
  bool attention(const Node& node);
  bool onnx_attention(const Node& node);
  bool multi_head_attention(const Node& node);
  bool group_query_attention(const Node& node);

  // Results of nodes with bodies, where those have plans (extent_bodies.cpp); `index` of the node in its block.
  void visit_bodies(const Node& node, uint32_t index);
  void branches(const Node& node, std::span<const Extents::KnownDims> yes, std::span<const Extents::KnownDims> no);
  void iterations(const Node& node, const BodyExtents& body);
  void set_known(ValueId v, const Extents::KnownDims& dims);

  // Elements of results, where those of the operands are known.
  void evaluate(const Node& node);
  void pass_on(const Node& node);
  void arithmetic(const Node& node);
  void pick(const Node& node);
  void join(const Node& node);
  void cut(const Node& node);
  void compare_equal(const Node& node);
  void choose(const Node& node);

  bool set(ValueId v, Dims dims);  // false where the rank is not that of the type
  const Dims& dims(ValueId v) const { return out_.dims_[v]; }
  const Dims* elements(ValueId v) const { return v != DBK_NONE && out_.elements_[v] ? &*out_.elements_[v] : nullptr; }
  std::optional<std::vector<int64_t>> integers(ValueId v) const;  // elements that are constants
  std::optional<std::vector<int64_t>> axes_of(const Node& node, size_t input,
                                              size_t rank) const;  // attribute or input, sorted, >= 0
  bool ranked(ValueId v) const { return v != DBK_NONE && out_.ranked_[v]; }
  Dims product_dims(const Node& node);
  Extent attention_columns(const Node& node, size_t i);
  Dims broadcast(const Dims& a, const Dims& b);

  const Graph& graph_;
  const Types& types_;
  Extents& out_;
  ExtentTable& table_;
};

}  // namespace dbk
