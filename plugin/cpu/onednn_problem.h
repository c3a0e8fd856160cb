// Products as oneDNN sees them: the matrices of a node of the families matmul, gemm and transposed_matmul, with what of an epilogue oneDNN
// computes on the way.
#pragma once

#include "plugin/cpu/onednn_epilogue.h"

namespace dbk {

struct OnednnProblem {
  dnnl::memory::dims a, b, c, bias;          // equal ranks; bias empty or of c's rank
  dnnl::memory::dims a_strides, b_strides;
  float alpha = 1;
  std::vector<OnednnStep> steps;             // of an epilogue, on the way
  bool only_fast = false;                    // rather none than a kernel that takes its time

  int threads() const;  // that compute it; 0: all
};

// One for each result of the node; none where oneDNN does not take it.
std::vector<OnednnProblem> onednn_problems(const Node& node, std::span<const TensorType> in, std::span<const TensorType> out);

// Without the steps where oneDNN has no fast kernel for the product with them. Throws dnnl::error where there is none at all, or none
// that is wanted.
dnnl::matmul::primitive_desc describe(const dnnl::engine& engine, OnednnProblem& problem);

// Whether oneDNN takes a node with these operands: f32 (f16 and f64 stay with the host function), except where it turns out to have no
// kernel.
bool onednn_takes(const Node& node, std::span<const TensorType> in);

}  // namespace dbk
