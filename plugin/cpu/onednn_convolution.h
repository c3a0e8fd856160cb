// Conv and ConvTranspose through oneDNN.
#pragma once

#include "plugin/cpu/host_kernel.h"

namespace dbk {

// Whether oneDNN runs this node: f32 with one to three spatial axes and something to compute.
bool onednn_convolves(const Node& node, std::span<const TensorType> inputs);

// Null where it does not. Weights that are fixed are stored anew in oneDNN's order, here and not in runs.
std::unique_ptr<HostKernel> make_onednn_convolution(const Node& node, std::span<const Tensor> inputs,
                                                    std::span<const Tensor> outputs, FixedInputs fixed);

}  // namespace dbk
