// A product of whole numbers on matrices of subgroups, exact in the type of the sums and in none with fewer bits or a smaller range: what an
// adapter has to get right before kernels use its matrices, which WebGPU has as an experiment and drivers as something new. Numbers go the way that
// those of `coop` go: operands lie along k, several matrices are added up, and sums pass through workgroup memory.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

struct MatrixProof {
  MatrixConfig config;
  Program program;  // one workgroup; reads a and b, writes c
  std::vector<std::byte> a, b, c, params;  // c: what has to come out

  // Empty, or the first element that is wrong.
  std::string refuse(std::span<const std::byte> got) const;
};

// Nothing for matrices that no kernel uses.
std::optional<MatrixProof> matrix_proof(const MatrixConfig& config, const Capabilities& caps);

}  // namespace dbk::gpu
