#include "plugin/cpu/onednn_matmul.h"

#include <algorithm>
#include <array>

#include "host_fallback/column_parts.h"
#include "plugin/cpu/onednn_layout.h"
#include "plugin/cpu/onednn_problem.h"
#include "plugin/cpu/onednn_scratch.h"
#include "plugin/cpu/thread_limit.h"

namespace dbk {

namespace {

using dnnl::memory;

class OnednnMatmul final : public HostKernel {
 public:
  explicit OnednnMatmul(OnednnProblem p) : threads_(p.threads()) {
    const ThreadLimit limit(threads_);
    const auto desc = describe(engine_, p);
    matmul_ = dnnl::matmul(desc);
    a_ = memory(desc.src_desc(), engine_, nullptr);
    b_ = memory(desc.weights_desc(), engine_, nullptr);
    c_ = memory(desc.dst_desc(), engine_, nullptr);
    const memory scratchpad = scratch_.add(desc.scratchpad_desc(), engine_);
    arguments_ = {{DNNL_ARG_SRC, a_.get()}, {DNNL_ARG_WEIGHTS, b_.get()}, {DNNL_ARG_DST, c_.get()}, {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
    if (!p.bias.empty()) {
      bias_ = memory(desc.bias_desc(), engine_, nullptr);
      arguments_.push_back({DNNL_ARG_BIAS, bias_.get()});
    }
    for (int i = p.alpha != 1 ? 1 : 0; const OnednnStep& step : p.steps) {
      operands_.emplace_back(step.input, memory(stored_densely(step.dims), engine_, nullptr));
      arguments_.push_back({DNNL_ARG_ATTR_MULTIPLE_POST_OP(i++) | DNNL_ARG_SRC_1, operands_.back().second.get()});
    }
  }

  size_t epilogue_steps(size_t) const override { return operands_.size(); }

  uint64_t scratch_bytes() const override { return scratch_.bytes(); }
  void set_scratch(std::byte* memory) override { scratch_.place(memory); }
  void execute(std::span<const Tensor> in, std::span<Tensor> out) override {
    a_.set_data_handle(in[0].data);
    b_.set_data_handle(in[1].data);
    c_.set_data_handle(out[0].data);
    if (bias_) bias_.set_data_handle(in[2].data);
    for (auto& [input, operand] : operands_) operand.set_data_handle(in[input].data);
    const ThreadLimit limit(threads_);
    onednn_execute(matmul_, stream_, arguments_);
  }

 private:
  int threads_;
  // Small, and equal for oneDNN's cache of compiled kernels. One for all would outlive the library, or be gone before the last kernel.
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::matmul matmul_;
  memory a_, b_, c_, bias_;
  std::vector<std::pair<size_t, memory>> operands_;  // of the epilogue's steps, with the inputs that they are
  OnednnScratch scratch_;
  std::vector<dnnl_exec_arg_t> arguments_;
};

// Several products of one A, each with its columns of B and of what the epilogue adds to them.
class OnednnSplitMatmul final : public HostKernel {
 public:
  OnednnSplitMatmul(const ColumnParts& parts, std::vector<OnednnProblem> problems) : parts_(parts) {
    for (OnednnProblem& p : problems) products_.push_back(std::make_unique<OnednnMatmul>(std::move(p)));
  }
  size_t epilogue_steps(size_t output) const override { return products_[output]->epilogue_steps(0); }
  uint64_t scratch_bytes() const override {
    uint64_t most = 0;
    for (const auto& product : products_) most = std::max(most, product->scratch_bytes());
    return most;
  }
  void set_scratch(std::byte* memory) override {
    for (const auto& product : products_) product->set_scratch(memory);
  }
  void execute(std::span<const Tensor> in, std::span<Tensor> out) override {
    for (size_t i = 0; i < products_.size(); ++i) {
      std::array<Tensor, Expression::kMaxOperands + 1> operands;
      std::ranges::copy(in, operands.begin());
      operands[1].data = static_cast<float*>(in[1].data) + parts_.first(i);
      for (size_t e = 2; e < in.size(); ++e) operands[e] = meeting_part(in[e], parts_, i);
      products_[i]->execute({operands.data(), in.size()}, out.subspan(i, 1));
    }
  }

 private:
  ColumnParts parts_;
  std::vector<std::unique_ptr<OnednnMatmul>> products_;
};

}  // namespace

std::unique_ptr<HostKernel> make_onednn_matmul(const Node& node, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  const auto types_of = [](std::span<const Tensor> tensors) {
    std::vector<TensorType> types;
    for (const Tensor& t : tensors) types.push_back(t.type);
    return types;
  };
  try {
    std::vector<OnednnProblem> problems = onednn_problems(node, types_of(inputs), types_of(outputs));
    if (problems.empty()) return nullptr;
    if (problems.size() == 1) return std::make_unique<OnednnMatmul>(std::move(problems[0]));
    return std::make_unique<OnednnSplitMatmul>(column_parts(node.attrs), std::move(problems));
  } catch (const dnnl::error&) {
    return nullptr;  // a shape oneDNN has no kernel for: the op's own function does it
  }
}

std::optional<HostKernelNeeds> onednn_matmul_needs(const Node& node, std::span<const TensorType> inputs, std::span<const TensorType> outputs) {
  try {
    std::optional<HostKernelNeeds> needs;
    for (OnednnProblem& problem : onednn_problems(node, inputs, outputs)) {
      const ThreadLimit limit(problem.threads());
      const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
      OnednnScratch scratch;
      scratch.add(describe(engine, problem).scratchpad_desc(), engine);
      needs = HostKernelNeeds{std::max(scratch.bytes(), needs ? needs->scratch_bytes : 0), std::nullopt};
    }
    return needs;
  } catch (const dnnl::error&) {
    return std::nullopt;
  }
}

}  // namespace dbk
