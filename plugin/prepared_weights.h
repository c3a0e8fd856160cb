// The values of a graph's prologue: weights computed from parameters, on the host, before a device sees them. Only what
// somebody outside the prologue reads is kept; when a parameter is replaced, only what depends on it is computed again.
#pragma once

#include <map>
#include <optional>

#include "plugin/device.h"

namespace dbk {

class PreparedWeights {
 public:
  // [worker] `weights` has parameters and constants; brings the prologue's values up to date and adds them. Throws the
  // failure of an op with the node's name; then nothing has changed.
  void update(const Graph& graph, Weights& weights);
  // [worker] The one value alone, where everything that it is made of has bytes; nothing else. Fails as update() does.
  static std::optional<Weight> made(const Graph& graph, const Weights& weights, ValueId value);
  // Adds those that are up to date. Bytes and revisions only; what is missing has no data.
  void add_to(const Graph& graph, Weights& weights) const;

 private:
  using Results = std::map<ValueId, Weight>;

  // Of `wanted` values, by value: those of `kept` that are up to date, and the others made anew.
  static Results make(const Graph& graph, const Weights& weights, const std::vector<bool>& wanted, const Results& kept);
  static void evaluate(const Node& node, const Graph& graph, const Weights& weights, Results& results);

  Results kept_;
};

}  // namespace dbk
