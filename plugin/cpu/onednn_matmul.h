// MatMul and Gemm through oneDNN.
#pragma once

#include "plugin/cpu/host_kernel.h"

namespace dbk {

// Whether oneDNN runs this node: f32 (f16 and f64 stay with the host function), and shapes it accepts.
bool onednn_takes(const Node& node, std::span<const TensorType> inputs);

// Null where it does not.
std::unique_ptr<HostKernel> make_onednn_matmul(const Node& node, std::span<const Tensor> inputs, std::span<const Tensor> outputs);
std::optional<HostKernelNeeds> onednn_matmul_needs(const Node& node, std::span<const TensorType> inputs, std::span<const TensorType> outputs);

}  // namespace dbk
