#include "plugin/cpu/host_kernel.h"

#include <algorithm>
#include <array>

#include "host_fallback/column_parts.h"
#include "host_fallback/epilogue.h"
#include "plugin/cpu/onednn_convolution.h"
#include "plugin/cpu/onednn_epilogue.h"
#include "plugin/cpu/onednn_matmul.h"
#include "plugin/cpu/onednn_problem.h"

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

// Where a library's products lie: in the results, or, behind what casts them, one behind the other in scratch memory.
class ProductPlaces {
 public:
  ProductPlaces(DType dtype, std::span<const TensorType> results) {
    for (const TensorType& result : results) {
      types_[count_] = {dtype, result.shape};
      apart_[count_++] = result.dtype != dtype;
      if (result.dtype != dtype) bytes_ += stored_bytes(types_[count_ - 1]);
    }
  }
  uint64_t bytes() const { return bytes_; }
  std::array<Tensor, ColumnParts::kMost> products(std::span<const Tensor> results, std::byte* scratch) const {
    std::array<Tensor, ColumnParts::kMost> products;
    for (size_t i = 0; i < count_; ++i) {
      products[i] = apart_[i] ? Tensor{types_[i], scratch} : results[i];
      if (apart_[i]) scratch += stored_bytes(types_[i]);
    }
    return products;
  }

 private:
  static uint64_t stored_bytes(const TensorType& type) { return (static_cast<uint64_t>(type.bytes()) + 63) / 64 * 64; }

  std::array<TensorType, ColumnParts::kMost> types_;
  std::array<bool, ColumnParts::kMost> apart_{};
  size_t count_ = 0;
  uint64_t bytes_ = 0;
};

// A library's product, then what it has left of the expression behind it, in one result or several.
class WithEpilogue final : public HostKernel {
 public:
  WithEpilogue(const Node& node, std::unique_ptr<HostKernel> product, const ProductPlaces& places)
      : own_(product_inputs(node.attrs)), parts_(column_parts(node.attrs)), places_(places), product_(std::move(product)) {
    for (size_t i = 0; i < node.outputs.size(); ++i) rest_.emplace_back(node, product_->epilogue_steps(i));
  }
  uint64_t scratch_bytes() const override { return places_.bytes() + product_->scratch_bytes(); }
  void set_scratch(std::byte* memory) override {
    scratch_ = memory;
    product_->set_scratch(memory ? memory + places_.bytes() : nullptr);
  }
  void execute(std::span<const Tensor> inputs, std::span<Tensor> outputs) override {
    auto products = places_.products(outputs, scratch_);
    product_->execute(inputs, std::span(products).first(outputs.size()));
    for (size_t i = 0; i < rest_.size(); ++i)
      if (!rest_[i].empty()) parts_.count > 0 ? apply_to_part(inputs, products[i], outputs[i], i) : rest_[i].apply(inputs, products[i], outputs[i]);
  }

 private:
  void apply_to_part(std::span<const Tensor> inputs, const Tensor& product, Tensor& result, size_t i) const {
    std::array<Tensor, Expression::kMaxOperands + 1> operands;
    for (size_t e = own_; e < inputs.size(); ++e) operands[e] = meeting_part(inputs[e], parts_, i);
    rest_[i].apply({operands.data(), inputs.size()}, product, result);
  }

  size_t own_;
  ColumnParts parts_;
  ProductPlaces places_;
  std::byte* scratch_ = nullptr;
  std::vector<EpilogueRest> rest_;  // by output
  std::unique_ptr<HostKernel> product_;
};

std::vector<TensorType> types_of(std::span<const Tensor> tensors) {
  std::vector<TensorType> types;
  for (const Tensor& tensor : tensors) types.push_back(tensor.type);
  return types;
}

std::unique_ptr<HostKernel> make_library_kernel(const Node& node, std::span<const Tensor> inputs,
                                                std::span<const Tensor> outputs, const FixedInputs& fixed) {
  if (auto kernel = make_onednn_matmul(node, inputs, outputs)) return kernel;
  return make_onednn_convolution(node, without_epilogue(node.attrs, inputs), outputs, fixed);
}

}  // namespace

const WeightId* FixedInputs::find(size_t input) const {
  const auto found = std::ranges::find(weights_, input, &std::pair<size_t, WeightId>::first);
  return store_ && found != weights_.end() ? &found->second : nullptr;
}

std::unique_ptr<HostKernel> make_host_kernel(const Node& node, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                                             const FixedInputs& fixed) {
  auto kernel = make_library_kernel(node, inputs, outputs, fixed);
  if (!kernel) return std::make_unique<OpFunction>(node, inputs);
  if (!has_epilogue(node.attrs)) return kernel;
  return std::make_unique<WithEpilogue>(node, std::move(kernel), ProductPlaces(inputs[0].type.dtype, types_of(outputs)));
}

HostKernelNeeds host_kernel_needs(const Node& node, std::span<const Tensor> inputs, std::span<const TensorType> outputs,
                                  const std::vector<bool>& fixed) {
  const std::vector<TensorType> types = types_of(inputs);
  const std::span<const TensorType> all(types);
  std::optional<HostKernelNeeds> needs = onednn_matmul_needs(node, all, outputs);
  if (!needs) needs = onednn_convolution_needs(node, without_epilogue(node.attrs, all), outputs, fixed);
  if (!needs) return {work_bytes(node, inputs), std::nullopt};
  if (has_epilogue(node.attrs)) needs->scratch_bytes += ProductPlaces(types[0].dtype, outputs).bytes();
  return *std::move(needs);
}

void run_host_kernel(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
  const std::unique_ptr<HostKernel> kernel = make_host_kernel(node, inputs, outputs, {});
  std::shared_ptr<std::byte[]> scratch;
  if (const uint64_t bytes = kernel->scratch_bytes()) kernel->set_scratch((scratch = allocate_bytes(bytes, "intermediates of " + describe(node))).get());
  kernel->execute(inputs, outputs);
}

const char* host_kernel_name(const Node& node, std::span<const TensorType> inputs) {
  return onednn_takes(node, inputs) || onednn_convolves(node, without_epilogue(node.attrs, inputs)) ? "onednn" : "host";
}

}  // namespace dbk
