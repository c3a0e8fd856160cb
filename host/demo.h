// The built-in job of `daybreak run`: a feed-forward block of a transformer with seeded weights,
// y = softmax(x + gelu(layernorm(x) W1 + b1) W2 + b2), and its value computed independently in double.
#pragma once

#include <cstdint>
#include <vector>

#include "daybreak_exec.hpp"
#include "daybreak_graph.hpp"

namespace host {

struct Demo {
  static constexpr int64_t tokens = 64, width = 256, hidden = 1024;
  std::vector<float> x, scale, shift, w1, b1, w2, b2;

  Demo();  // every number follows from one seed

  daybreak::GraphBuilder graph() const;               // parameters without data
  void set_params(daybreak::Executable& exec) const;  // copies
  std::vector<double> reference() const;              // [tokens, width], by plain loops in double
};

}  // namespace host
