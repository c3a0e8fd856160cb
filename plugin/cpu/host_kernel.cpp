#include "plugin/cpu/host_kernel.h"

#include "plugin/cpu/onednn_convolution.h"
#include "plugin/cpu/onednn_matmul.h"

namespace dbk {

namespace {

class OpFunction final : public HostKernel {
 public:
  explicit OpFunction(const Node& node) : node_(node) {}
  void execute(std::span<const Tensor> inputs, std::span<Tensor> outputs) override {
    Compute compute({&node_.attrs, node_.version}, inputs, outputs);
    node_.op->host->compute(compute);
  }

 private:
  const Node& node_;
};

}  // namespace

std::unique_ptr<HostKernel> make_host_kernel(const Node& node, std::span<const Tensor> inputs,
                                             std::span<const Tensor> outputs, FixedInputs fixed) {
  if (auto kernel = make_onednn_matmul(node, inputs, outputs)) return kernel;
  if (auto kernel = make_onednn_convolution(node, inputs, outputs, fixed)) return kernel;
  return std::make_unique<OpFunction>(node);
}

const char* host_kernel_name(const Node& node, std::span<const TensorType> inputs) {
  return onednn_takes(node, inputs) || onednn_convolves(node, inputs) ? "onednn" : "host";
}

}  // namespace dbk
