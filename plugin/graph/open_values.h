// What inference must not take for granted beyond the extents it was given: elements that binding may tell, and ranks, shapes and known
// elements that may be otherwise with other extents.
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

class OpenValues {
 public:
  explicit OpenValues(const Graph& graph);

  void start_input(ValueId v);  // of the main graph, as it is declared
  void set_tellable(ValueId v, bool tellable) { tellable_[v] = tellable; }
  // Marks what the node makes, Types::open too. To be called for each node in order.
  void visit(const Node& node, Types& types);

  // Whether the elements are known, or may be once inputs are bound.
  bool tellable(ValueId v) const { return tellable_[v]; }
  // Whether anything that the node reads depends on a symbol without a maximum.
  bool reads_unbounded(const Node& node) const;

 private:
  void mark_tellable(const Node& node, const Types& types);
  void mark_open(const Node& node, Types& types);

  const Graph& graph_;
  std::vector<bool> tellable_, rank_, shape_, unbounded_;  // by value
};

}  // namespace dbk
