// A graph while a pass rewrites it: the questions patterns ask (who makes a value, who reads it, is it a weight, which
// number is it) and the few changes they make. All bookkeeping is here: which caller's nodes went into which node, what
// was not done and why, and that nothing disappears that somebody else reads.
#pragma once

#include <deque>
#include <optional>
#include <span>

#include "plugin/graph/extents.h"
#include "plugin/graph/passes/compile_passes.h"

namespace dbk {

class Rewriter {
 public:
  // Takes the nodes out of the graph until `finish`. `types` of all values at representative extents: only dtypes and types of weights
  // are facts for every run. `extents` has the others.
  Rewriter(Graph& graph, Types& types, Extents& extents, const PassOptions& options, const char* pass);
  // Writes the nodes back into the graph, each after what it reads, and renumbers what types have by node.
  void finish();
  bool changed() const { return changed_; }
  bool added_values() const { return added_values_; }  // whose types have to be inferred

  // ---- reading ----
  const Graph& graph() const { return graph_; }
  const Types& types() const { return types_; }
  const Extents& extents() const { return extents_; }
  const PassOptions& options() const { return options_; }
  const TensorType& type(ValueId v) const { return types_[v]; }
  // Whether dtype and rank are known, for every run.
  bool typed(ValueId v) const { return v != DBK_NONE && types_[v].dtype != DBK_DTYPE_NONE && extents_.ranked(v); }
  uint32_t rank(ValueId v) const { return types_[v].shape.rank(); }

  // Nodes of the main graph by number, in order; those made meanwhile come last. Null where one is gone.
  size_t count() const { return nodes_.size(); }
  const Node* at(size_t i) const { return nodes_[i].alive ? &nodes_[i] : nullptr; }

  bool before(const Node& a, const Node& b) const { return place(a) < place(b); }  // in the caller's order

  const Node* producer(ValueId v) const;                       // null for inputs, weights and absent operands
  const Node* producer(ValueId v, std::string_view op) const;  // null also where it is another op
  const std::vector<const Node*>& readers(ValueId v) const { return readers_[v]; }  // each once
  const Node* sole_reader(ValueId v) const;              // null where several nodes read it, or the outside does
  bool visible(ValueId v) const { return visible_[v]; }  // an output of the graph, or read by a body: stays what it is
  bool is_weight(ValueId v) const { return v != DBK_NONE && dbk::is_weight(graph_.values[v]); }
  const HostTensor* constant(ValueId v) const;                    // null where it is none
  std::optional<double> scalar(ValueId v) const;                  // of a constant with one element
  std::optional<std::vector<int64_t>> integers(ValueId v) const;  // of a constant i32 or i64 tensor
  std::optional<std::vector<int64_t>> axes_of(const Node& node) const;  // attribute or constant second operand, as they are written
  bool permutes(const Node* node, const std::vector<int64_t>& perm) const;  // is a Transpose that does so; false also for null
  // Of a node of two operands, one of them a constant number that adds no axes to the other: which one, the number and the other.
  struct ScalarOperand {
    size_t at;
    double number;
    ValueId rest;
  };
  std::optional<ScalarOperand> scalar_operand(const Node& node) const;
  // A product with a number, or a quotient by one: what is multiplied, and by what.
  struct Scaled {
    ValueId value;
    double factor;
  };
  std::optional<Scaled> scaled(const Node* node) const;  // nothing also for null

  // ---- changing ----
  ValueId add_value(const TensorType& type);
  ValueId add_constant(HostTensor tensor);
  ValueId add_integers(std::span<const int64_t> list);
  ValueId add_integers(std::initializer_list<int64_t> list) { return add_integers(std::span(list.begin(), list.size())); }
  ValueId add_scalar(DType dtype, double value, const Shape& ones = {});  // a float, i32 or i64
  // Attributes but for those whose names end so: to set these anew.
  static Attributes without(const Attributes& attrs, std::string_view ending);
  // A node of the newest version of an op, with the schema's defaults for attributes that are not given.
  static Node make(std::string_view op, std::vector<ValueId> inputs, std::vector<ValueId> outputs,
                   Attributes attrs = {}, std::string_view domain = "");
  // Another node that the work of `near` needs; it has its place and name.
  const Node* insert(Node made, const Node& near);
  // `made` instead of `absorbed`, with place and name of their last. False, and a near miss on record, where a value
  // that `made` does not give is read by anybody else, or by `made` itself.
  bool replace(std::vector<const Node*> absorbed, Node made) {
    return replace_all({{std::move(absorbed), std::move(made)}});
  }
  // The same for several that only make sense together.
  struct Replacement {
    std::vector<const Node*> absorbed;
    Node made;
  };
  bool replace_all(std::vector<Replacement> list);
  void set_input(const Node& node, size_t input, ValueId value);
  // Everybody who reads `old` reads `now` instead, and `node`, which made it, goes. False where the outside sees `old`.
  bool bypass(const Node& node, ValueId old, ValueId now);
  // `node` computes what `twin` computes: its readers read that. False where the outside sees an output of it.
  bool merge(const Node& node, const Node& twin);
  void remove(const Node& node);       // nobody reads its outputs
  void to_constant(const Node& node);  // its outputs are known from constants alone
  void to_prologue(const Node& node);  // its operands are weights: so are its outputs from now on
  void miss(const Node& node, std::string reason);
  // Of its layer: asks for advice, and keeps it for reports. `nodes` are what a measurement has to run, each once; none:
  // it cannot be measured.
  ProjectionForm choose(ProjectionChoice choice, std::vector<const Node*> nodes);
  const ProjectionChoice* choice_of(ValueId result) const;  // that was made for the product behind a value; null: none

 private:
  struct PassNode : Node {
    bool alive = true;
    bool made = false;
    size_t place = 0;  // number of the node of the graph's order whose place it has
  };

  static size_t place(const Node& node) { return static_cast<const PassNode&>(node).place; }
  PassNode& own(const Node& node) { return static_cast<PassNode&>(const_cast<Node&>(node)); }
  std::vector<const PassNode*> in_order() const;
  void renumber(const std::vector<const PassNode*>& sorted);
  void link(const PassNode& node);
  void drop(const Node& node);
  void redirect(ValueId old, ValueId now);
  const Node& append(Node made, size_t place);
  ValueId append_value(const TensorType& type);
  std::string reader_elsewhere(std::span<const Replacement> list) const;
  void record(const Node* into, std::span<const Node* const> absorbed);

  Graph& graph_;
  Types& types_;
  Extents& extents_;
  const PassOptions& options_;
  const char* pass_;
  bool changed_ = false, added_values_ = false;
  std::deque<PassNode> nodes_;
  std::vector<const Node*> producers_;             // by value
  std::vector<std::vector<const Node*>> readers_;  // by value
  std::vector<bool> visible_;                      // by value
};

// Whether a node has that op of ONNX's default domain.
inline bool is_op(const Node* node, std::string_view op) { return node && node->domain.empty() && node->op_name == op; }
// The operand of a node of two that is not `v`.
inline ValueId other_operand(const Node& node, ValueId v) { return node.inputs[node.inputs[0] == v ? 1 : 0]; }
// The axes of a Transpose's operand in the order of its result's.
std::vector<int64_t> permutation_of(const Node& transpose, uint32_t rank);
// Equal operands give equal results, and nothing else happens: no random numbers, no bodies.
bool is_pure(const Node& node);

}  // namespace dbk
