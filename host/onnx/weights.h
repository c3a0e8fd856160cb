// Tensors of a model as values of the graph: constants where they are small or steer shapes, else parameters whose
// memory is borrowed.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "daybreak_graph.hpp"
#include "tensor_data.h"

namespace host {

class Weights {
 public:
  explicit Weights(daybreak::GraphBuilder& graph) : graph_(graph) {}

  daybreak::Value add(const std::string& name, const TensorData& data, bool steers_shapes);
  daybreak::Value add_constant(const std::string& name, const TensorData& data);

  static bool is_constant(const TensorData& data, bool steers_shapes);

  // Memory of parameters that is neither the model's message nor a mapped file.
  std::vector<std::shared_ptr<const std::vector<std::byte>>> take_memory() { return std::move(memory_); }

 private:
  daybreak::GraphBuilder& graph_;
  std::set<std::string> names_;  // of parameters: they must differ, also between bodies
  std::vector<std::shared_ptr<const std::vector<std::byte>>> memory_;
};

}  // namespace host
