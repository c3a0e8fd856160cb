#include "plugin/cpu/host_kernel.h"

#include "host_fallback/epilogue.h"
#include "plugin/cpu/onednn_convolution.h"
#include "plugin/cpu/onednn_matmul.h"

namespace dbk {

namespace {

class OpFunction final : public HostKernel {
 public:
  OpFunction(const Node& node, std::span<const Tensor> inputs)
      : node_(node), work_(work_memory(*node.op->host, {&node.attrs, node.version}, inputs)) {}
  void execute(std::span<const Tensor> inputs, std::span<Tensor> outputs) override {
    Compute compute({&node_.attrs, node_.version}, inputs, outputs, work_.data());
    node_.op->host->compute(compute);
  }

 private:
  const Node& node_;
  std::vector<std::byte> work_;
};

// A library's product, then the expression behind it, where the product lies.
class WithEpilogue final : public HostKernel {
 public:
  WithEpilogue(const Node& node, std::unique_ptr<HostKernel> product) : node_(node), product_(std::move(product)) {}
  void execute(std::span<const Tensor> inputs, std::span<Tensor> outputs) override {
    product_->execute(inputs.first(product_inputs(node_.attrs)), outputs);
    Compute compute({&node_.attrs, node_.version}, inputs, outputs);
    apply_epilogue(compute);
  }

 private:
  const Node& node_;
  std::unique_ptr<HostKernel> product_;
};

bool has_epilogue(const Node& node) { return node.attrs.has("product_inputs"); }

// Inputs without those of an epilogue.
template <class T>
std::span<const T> own(const Node& node, std::span<const T> inputs) {
  return has_epilogue(node) ? inputs.first(product_inputs(node.attrs)) : inputs;
}

std::unique_ptr<HostKernel> make_library_kernel(const Node& node, std::span<const Tensor> inputs,
                                                std::span<const Tensor> outputs, FixedInputs fixed) {
  if (auto kernel = make_onednn_matmul(node, inputs, outputs)) return kernel;
  return make_onednn_convolution(node, inputs, outputs, fixed);
}

}  // namespace

std::unique_ptr<HostKernel> make_host_kernel(const Node& node, std::span<const Tensor> inputs,
                                             std::span<const Tensor> outputs, FixedInputs fixed) {
  auto kernel = make_library_kernel(node, own(node, inputs), outputs, fixed);
  if (!kernel) return std::make_unique<OpFunction>(node, inputs);
  return has_epilogue(node) ? std::make_unique<WithEpilogue>(node, std::move(kernel)) : std::move(kernel);
}

const char* host_kernel_name(const Node& node, std::span<const TensorType> inputs) {
  const std::span<const TensorType> types = own(node, inputs);
  return onednn_takes(node, types) || onednn_convolves(node, types) ? "onednn" : "host";
}

}  // namespace dbk
