// What inference must not take for granted beyond the extents it was given: how the Openness of values follows from that of inputs.
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

class OpenValues {
 public:
  // `values`: by value id, filled in by the calls below; constants and inputs of bodies by others.
  OpenValues(const Graph& graph, std::vector<Openness>& values) : graph_(graph), values_(values) {}

  void start_input(ValueId v);  // of the main graph, as it is declared
  // Marks what the node makes. To be called for each node in order; `late` by value id.
  void visit(const Node& node, const std::vector<bool>& late);

  // Whether anything that the node reads depends on a symbol without a maximum.
  bool reads_unbounded(const Node& node) const;

 private:
  bool tells_outputs(const Node& node, const std::vector<bool>& late) const;

  const Graph& graph_;
  std::vector<Openness>& values_;
};

}  // namespace dbk
