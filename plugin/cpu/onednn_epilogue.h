// What of an epilogue (host_fallback/epilogue.h) oneDNN computes with the product, while its elements are at hand: sums, differences and
// products with operands, from the first step on. The rest is left to our own functions: oneDNN's Gelu loses the tail, its Relu drops NaN.
#pragma once

#include <dnnl.hpp>

#include "host_fallback/expression.h"
#include "plugin/graph/graph.h"

namespace dbk {

struct OnednnStep {
  dnnl::algorithm algorithm;
  size_t input;             // of the node
  dnnl::memory::dims dims;  // of that input, against those of the product
};

// The first steps of a node's expression as far as oneDNN takes them; none for a node without one. `product`: extents as oneDNN sees them.
std::vector<OnednnStep> onednn_steps(const Node& node, std::span<const TensorType> inputs, const dnnl::memory::dims& product);

// What is left of an epilogue behind its first steps.
class EpilogueRest {
 public:
  EpilogueRest(const Node& node, size_t first_steps);
  bool empty() const { return expression_.steps.empty(); }
  void apply(std::span<const Tensor> inputs, const Tensor& product, Tensor& result) const;  // both may be one; allocates nothing

 private:
  Expression expression_;
  std::vector<size_t> inputs_;  // of the node that are operands from 1 on
};

}  // namespace dbk
