// Matrix products through oneDNN.
#pragma once

#include "plugin/cpu/host_kernel.h"

namespace dbk {

// Null where oneDNN does not take the node.
std::unique_ptr<HostKernel> make_onednn_matmul(const Node& node, std::span<const Tensor> inputs, std::span<const Tensor> outputs);
std::optional<HostKernelNeeds> onednn_matmul_needs(const Node& node, std::span<const TensorType> inputs, std::span<const TensorType> outputs);

}  // namespace dbk
