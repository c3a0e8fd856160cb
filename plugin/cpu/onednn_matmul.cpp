#include "plugin/cpu/onednn_matmul.h"

#include <dnnl.hpp>

namespace dbk {

namespace {

using dnnl::memory;

struct Problem {
  memory::dims a, b, c, bias;            // equal ranks; bias empty or of c's rank
  memory::dims a_strides, b_strides;     // empty: dense
};

memory::dims dense(const memory::dims& dims) {
  memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

// Rank-equal views of ONNX MatMul operands: 1-D operands become matrices, leading dimensions are filled with ones.
Problem matmul_problem(const Shape& a, const Shape& b, const Shape& c) {
  Problem p;
  p.a.assign(a.begin(), a.end());
  p.b.assign(b.begin(), b.end());
  p.c.assign(c.begin(), c.end());
  if (a.rank() == 1) p.a = {1, a[0]}, p.c.insert(p.c.end() - (b.rank() == 1 ? 0 : 1), 1);
  if (b.rank() == 1) p.b = {b[0], 1}, p.c.push_back(1);
  const size_t rank = std::max(p.a.size(), p.b.size());
  p.a.insert(p.a.begin(), rank - p.a.size(), 1);
  p.b.insert(p.b.begin(), rank - p.b.size(), 1);
  // One weight for all: the batch is only more rows.
  if (b.rank() <= 2 && rank > 2) {
    const int64_t k = p.a.back(), n = p.b.back();
    int64_t rows = 1;
    for (size_t i = 0; i + 1 < rank; ++i) rows *= p.a[i];
    p.a = {rows, k}, p.b = {k, n}, p.c = {rows, n};
  }
  p.a_strides = dense(p.a);
  p.b_strides = dense(p.b);
  return p;
}

Problem gemm_problem(const Node& node, std::span<const TensorType> in, const Shape& out) {
  Problem p;
  const Shape& a = in[0].shape;
  const Shape& b = in[1].shape;
  const bool ta = node.attrs.integer("transA") != 0, tb = node.attrs.integer("transB") != 0;
  p.a = ta ? memory::dims{a[1], a[0]} : memory::dims{a[0], a[1]};
  p.b = tb ? memory::dims{b[1], b[0]} : memory::dims{b[0], b[1]};
  p.a_strides = ta ? memory::dims{1, a[1]} : memory::dims{a[1], 1};
  p.b_strides = tb ? memory::dims{1, b[1]} : memory::dims{b[1], 1};
  p.c.assign(out.begin(), out.end());
  if (in.size() > 2 && in[2].dtype != DBK_DTYPE_NONE) {
    p.bias.assign(in[2].shape.begin(), in[2].shape.end());
    p.bias.insert(p.bias.begin(), 2 - p.bias.size(), 1);
  }
  return p;
}

class OnednnMatmul final : public HostKernel {
 public:
  explicit OnednnMatmul(const Problem& p) {
    const memory::desc a(p.a, memory::data_type::f32, p.a_strides), b(p.b, memory::data_type::f32, p.b_strides);
    const memory::desc c(p.c, memory::data_type::f32, dense(p.c));
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const auto desc = p.bias.empty()
        ? dnnl::matmul::primitive_desc(engine_, a, b, c, attr)
        : dnnl::matmul::primitive_desc(engine_, a, b, memory::desc(p.bias, memory::data_type::f32, dense(p.bias)), c, attr);
    matmul_ = dnnl::matmul(desc);
    a_ = memory(a, engine_, nullptr);
    b_ = memory(b, engine_, nullptr);
    c_ = memory(c, engine_, nullptr);
    scratchpad_ = memory(desc.scratchpad_desc(), engine_);
    arguments_ = {{DNNL_ARG_SRC, a_.get()}, {DNNL_ARG_WEIGHTS, b_.get()}, {DNNL_ARG_DST, c_.get()}, {DNNL_ARG_SCRATCHPAD, scratchpad_.get()}};
    if (!p.bias.empty()) {
      bias_ = memory(memory::desc(p.bias, memory::data_type::f32, dense(p.bias)), engine_, nullptr);
      arguments_.push_back({DNNL_ARG_BIAS, bias_.get()});
    }
  }

  void execute(std::span<const Tensor> in, std::span<Tensor> out) override {
    a_.set_data_handle(in[0].data);
    b_.set_data_handle(in[1].data);
    c_.set_data_handle(out[0].data);
    if (bias_) bias_.set_data_handle(in[2].data);
    // The C function: the C++ one builds its argument list anew, which allocates.
    const dnnl_status_t status = dnnl_primitive_execute(matmul_.get(), stream_.get(), static_cast<int>(arguments_.size()), arguments_.data());
    if (status != dnnl_success) fail(DBK_INTERNAL, "oneDNN failed with status {}", static_cast<int>(status));
    stream_.wait();
  }

 private:
  // Small, and equal for oneDNN's cache of compiled kernels. One for all would outlive the library, or be gone before the last kernel.
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::matmul matmul_;
  memory a_, b_, c_, bias_, scratchpad_;
  std::vector<dnnl_exec_arg_t> arguments_;
};

}  // namespace

bool onednn_takes(const Node& node, std::span<const TensorType> in) {
  const bool matmul = node.op->family == "matmul", gemm = node.op->family == "gemm";
  if ((!matmul && !gemm) || in[0].dtype != DBK_F32) return false;
  for (size_t i = 0; i < 2; ++i)
    if (in[i].shape.count() == 0 || in[i].shape.rank() == 0 || in[i].shape.rank() > 8) return false;
  // oneDNN adds its bias unscaled and accumulates without alpha.
  return matmul || (node.attrs.real("alpha") == 1.0 && (node.attrs.real("beta") == 1.0 || in.size() < 3 || in[2].dtype == DBK_DTYPE_NONE));
}

std::unique_ptr<HostKernel> make_onednn_matmul(const Node& node, std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
  std::vector<TensorType> types;
  for (const Tensor& t : inputs) types.push_back(t.type);
  if (!onednn_takes(node, types)) return nullptr;
  try {
    const Shape& out = outputs[0].shape();
    return std::make_unique<OnednnMatmul>(node.op->family == "gemm" ? gemm_problem(node, types, out)
                                                                    : matmul_problem(types[0].shape, types[1].shape, out));
  } catch (const dnnl::error&) {
    return nullptr;  // a shape oneDNN has no kernel for: the op's own function does it
  }
}

}  // namespace dbk
