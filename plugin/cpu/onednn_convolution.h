// Conv and ConvTranspose through oneDNN.
#pragma once

#include "plugin/cpu/host_kernel.h"

namespace dbk {

// Whether oneDNN runs this node: f32 with one to three spatial axes and something to compute.
bool onednn_convolves(const Node& node, std::span<const TensorType> inputs);

// Null where it does not. Weights that are fixed are stored in oneDNN's order, once for the executable.
std::unique_ptr<HostKernel> make_onednn_convolution(const Node& node, std::span<const Tensor> inputs,
                                                    std::span<const Tensor> outputs, const FixedInputs& fixed);
std::optional<HostKernelNeeds> onednn_convolution_needs(const Node& node, std::span<const TensorType> inputs,
                                                        std::span<const TensorType> outputs, const std::vector<bool>& fixed);

}  // namespace dbk
