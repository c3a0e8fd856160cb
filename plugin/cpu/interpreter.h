// Bodies of If, Loop and Scan, node by node on the host: shapes may change from one iteration to the next. Allocates; what can be planned
// beforehand does not come here.
#pragma once

#include "plugin/cpu/late_value.h"
#include "plugin/device.h"

namespace dbk {

class Interpreter {
 public:
  // `weights` are by value id, the same in a graph and its bodies. `room` is for all that is made.
  Interpreter(const Weights& weights, const std::atomic<bool>* cancelled, LateRoom room)
      : weights_(weights), cancelled_(cancelled), room_(std::move(room)) {}

  // Runs a node with bodies. `graph` holds the node. Results as in compute_late.
  void run_control(const Graph& graph, const Node& node, std::span<const Tensor> inputs, const std::vector<bool>& wanted,
                   std::span<LateValue> results);

 private:
  // The outputs of a body for these inputs, formal and captured.
  std::vector<LateValue> run_body(const Graph& body, std::span<const LateValue> inputs);
  void run_node(const Graph& graph, const Node& node, std::vector<LateValue>& values, const std::vector<uint32_t>& place);
  void check_cancelled() const;

  const Weights& weights_;
  const std::atomic<bool>* cancelled_;
  const LateRoom room_;
};

}  // namespace dbk
