#include "plugin/cpu/host_kernel.h"

#include <algorithm>

#include "host_fallback/epilogue.h"
#include "plugin/cpu/onednn_convolution.h"
#include "plugin/cpu/onednn_matmul.h"

namespace dbk {

namespace {

uint64_t work_bytes(const Node& node, std::span<const Tensor> inputs) {
  const HostOp& op = *node.op->host;
  return op.work_bytes ? static_cast<uint64_t>(op.work_bytes(Compute({&node.attrs, node.version}, inputs, {}))) : 0;
}

class OpFunction final : public HostKernel {
 public:
  OpFunction(const Node& node, std::span<const Tensor> inputs) : node_(node), work_bytes_(work_bytes(node, inputs)) {}
  uint64_t scratch_bytes() const override { return work_bytes_; }
  void set_scratch(std::byte* memory) override { work_ = memory; }
  void execute(std::span<const Tensor> inputs, std::span<Tensor> outputs) override {
    Compute compute({&node_.attrs, node_.version}, inputs, outputs, work_);
    node_.op->host->compute(compute);
  }

 private:
  const Node& node_;
  uint64_t work_bytes_;
  std::byte* work_ = nullptr;
};

// A library's product, then the expression behind it, where the product lies.
class WithEpilogue final : public HostKernel {
 public:
  WithEpilogue(const Node& node, std::unique_ptr<HostKernel> product) : node_(node), product_(std::move(product)) {}
  uint64_t scratch_bytes() const override { return product_->scratch_bytes(); }
  void set_scratch(std::byte* memory) override { product_->set_scratch(memory); }
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
                                                std::span<const Tensor> outputs, const FixedInputs& fixed) {
  if (auto kernel = make_onednn_matmul(node, inputs, outputs)) return kernel;
  return make_onednn_convolution(node, inputs, outputs, fixed);
}

}  // namespace

const WeightId* FixedInputs::find(size_t input) const {
  const auto found = std::ranges::find(weights_, input, &std::pair<size_t, WeightId>::first);
  return store_ && found != weights_.end() ? &found->second : nullptr;
}

std::unique_ptr<HostKernel> make_host_kernel(const Node& node, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                                             const FixedInputs& fixed) {
  auto kernel = make_library_kernel(node, own(node, inputs), outputs, fixed);
  if (!kernel) return std::make_unique<OpFunction>(node, inputs);
  return has_epilogue(node) ? std::make_unique<WithEpilogue>(node, std::move(kernel)) : std::move(kernel);
}

HostKernelNeeds host_kernel_needs(const Node& node, std::span<const Tensor> inputs, std::span<const TensorType> outputs,
                                  const std::vector<bool>& fixed) {
  std::vector<TensorType> types;
  for (const Tensor& input : inputs) types.push_back(input.type);
  const std::span<const TensorType> all(types);
  if (auto needs = onednn_matmul_needs(node, own(node, all), outputs)) return *std::move(needs);
  if (auto needs = onednn_convolution_needs(node, own(node, all), outputs, fixed)) return *std::move(needs);
  return {work_bytes(node, inputs), std::nullopt};
}

void run_host_kernel(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
  const std::unique_ptr<HostKernel> kernel = make_host_kernel(node, inputs, outputs, {});
  std::shared_ptr<std::byte[]> scratch;
  if (const uint64_t bytes = kernel->scratch_bytes()) kernel->set_scratch((scratch = allocate_bytes(bytes)).get());
  kernel->execute(inputs, outputs);
}

const char* host_kernel_name(const Node& node, std::span<const TensorType> inputs) {
  const std::span<const TensorType> types = own(node, inputs);
  return onednn_takes(node, types) || onednn_convolves(node, types) ? "onednn" : "host";
}

}  // namespace dbk
