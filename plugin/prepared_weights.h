// The values of a graph's prologue: weights computed from parameters, on the host, before a device sees them. Only what
// somebody outside the prologue reads is kept; when a parameter is replaced, only what depends on it is computed again.
#pragma once

#include <map>

#include "plugin/device.h"

namespace dbk {

class PreparedWeights {
 public:
  // [worker] `weights` has parameters and constants; brings the prologue's values up to date and adds them. Throws the
  // failure of an op with the node's name; then nothing has changed.
  void update(const Graph& graph, Weights& weights);
  // Adds those that are up to date. Bytes and revisions only; what is missing has no data.
  void add_to(const Graph& graph, Weights& weights) const;

 private:
  using Results = std::map<ValueId, Weight>;

  static void evaluate(const Node& node, const Graph& graph, const Weights& weights, Results& results);

  Results kept_;
};

}  // namespace dbk
