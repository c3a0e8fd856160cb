// oneDNN chooses the order of elements in which it computes; what differs from the dense order of the graph is reordered
// around the convolution, weights once when the kernel is made.
#include "plugin/cpu/onednn_convolution.h"

#include <dnnl.hpp>

#include "host_fallback/conv.h"

namespace dbk {

namespace {

using dnnl::memory;

memory::desc dense(const memory::dims& dims) {
  memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return {dims, memory::data_type::f32, strides};
}

// The weights of ConvTranspose: oneDNN names the channels of the result first, they lie behind those of the input.
memory::desc channels_swapped(const memory::dims& dims, bool grouped) {
  const size_t out = grouped ? 1 : 0, in = out + 1;
  memory::dims stored = dims;
  std::swap(stored[out], stored[in]);
  memory::dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * stored[i];
  std::swap(strides[out], strides[in]);
  return {dims, memory::data_type::f32, strides};
}

memory::desc any(const memory::dims& dims) { return {dims, memory::data_type::f32, memory::format_tag::any}; }

struct Problem {
  memory::dims x, w, bias, y, strides, dilations, begin, end;
  memory::desc w_stored;
};

Problem problem_of(const Convolution& c, bool has_bias, bool transposed) {
  Problem p{{c.batch, c.groups * c.channels_in}, {}, {}, {c.batch, c.groups * c.channels_out}, {}, {}, {}, {}, {}};
  if (c.groups > 1) p.w.push_back(c.groups);
  p.w.insert(p.w.end(), {c.channels_out, c.channels_in});
  if (has_bias) p.bias = {c.groups * c.channels_out};
  for (uint32_t d = 0; d < c.windows.rank; ++d) {
    const WindowAxis& a = c.windows[d];
    p.x.push_back(a.in);
    p.w.push_back(a.kernel);
    p.y.push_back(a.out);
    p.strides.push_back(a.stride);
    p.dilations.push_back(a.dilation - 1);
    p.begin.push_back(a.begin);
    // oneDNN knows no output padding: what lies behind is what makes the extents fit.
    p.end.push_back(transposed ? (a.in - 1) * a.stride + a.reach() - a.out - a.begin : a.end);
  }
  p.w_stored = transposed ? channels_swapped(p.w, c.groups > 1) : dense(p.w);
  return p;
}

// Kind: convolution_forward or deconvolution_forward.
template <class Kind>
class OnednnConvolution final : public HostKernel {
 public:
  OnednnConvolution(const Problem& p, const Tensor& weights, bool weights_fixed) {
    const auto desc = describe(p);
    x_ = outer(dense(p.x));
    w_ = outer(p.w_stored);
    y_ = outer(dense(p.y));
    const memory x = reordered(x_, desc.src_desc());
    const memory w = reordered(w_, desc.weights_desc());
    const memory y = inner(y_, desc.dst_desc());
    std::vector<dnnl_exec_arg_t> arguments{{DNNL_ARG_SRC, x.get()}, {DNNL_ARG_WEIGHTS, w.get()}, {DNNL_ARG_DST, y.get()}};
    if (!p.bias.empty()) {
      bias_ = outer(dense(p.bias));
      arguments.push_back({DNNL_ARG_BIAS, bias_.get()});
    }
    if (weights_fixed && w.get() != w_.get()) {
      w_.set_data_handle(weights.data);
      run(steps_.back());
      steps_.pop_back();
    }
    add_step(Kind(desc), std::move(arguments), desc.scratchpad_desc());
    if (y.get() != y_.get()) add_reorder(y, y_);
  }

  void execute(std::span<const Tensor> in, std::span<Tensor> out) override {
    x_.set_data_handle(in[0].data);
    w_.set_data_handle(in[1].data);
    if (bias_) bias_.set_data_handle(in[2].data);
    y_.set_data_handle(out[0].data);
    for (const Step& step : steps_) run(step);
  }

 private:
  struct Step {
    dnnl::primitive primitive;
    std::vector<dnnl_exec_arg_t> arguments;
  };

  static dnnl::primitive_attr attributes() {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
  }

  typename Kind::primitive_desc describe(const Problem& p) const {
    constexpr auto kind = dnnl::prop_kind::forward_inference;
    constexpr auto algorithm = std::is_same_v<Kind, dnnl::convolution_forward> ? dnnl::algorithm::convolution_direct
                                                                               : dnnl::algorithm::deconvolution_direct;
    if (p.bias.empty())
      return {engine_, kind, algorithm, any(p.x), any(p.w), any(p.y), p.strides, p.dilations, p.begin, p.end, attributes()};
    return {engine_, kind,        algorithm, any(p.x), any(p.w),    dense(p.bias),
            any(p.y), p.strides, p.dilations, p.begin,  p.end, attributes()};
  }

  memory outer(const memory::desc& desc) const { return memory(desc, engine_, nullptr); }

  // Memory of ours where the order differs from that of the graph.
  memory inner(const memory& graph, const memory::desc& wanted) {
    if (wanted == graph.get_desc()) return graph;
    owned_.emplace_back(wanted, engine_);
    return owned_.back();
  }
  memory reordered(const memory& from, const memory::desc& wanted) {
    const memory to = inner(from, wanted);
    if (to.get() != from.get()) add_reorder(from, to);
    return to;
  }

  void add_reorder(const memory& from, const memory& to) {
    const dnnl::reorder::primitive_desc desc(engine_, from.get_desc(), engine_, to.get_desc(), attributes());
    add_step(dnnl::reorder(desc), {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}}, desc.scratchpad_desc());
  }

  void add_step(dnnl::primitive primitive, std::vector<dnnl_exec_arg_t> arguments, const memory::desc& scratchpad) {
    owned_.emplace_back(scratchpad, engine_);
    arguments.push_back({DNNL_ARG_SCRATCHPAD, owned_.back().get()});
    steps_.push_back({std::move(primitive), std::move(arguments)});
  }

  // The C function: the C++ one builds its argument list anew, which allocates.
  void run(const Step& step) {
    const dnnl_status_t status = dnnl_primitive_execute(
        step.primitive.get(), stream_.get(), static_cast<int>(step.arguments.size()), step.arguments.data());
    if (status != dnnl_success) fail(DBK_INTERNAL, "oneDNN failed with status {}", static_cast<int>(status));
    stream_.wait();
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};  // one for each kernel, as in onednn_matmul.cpp
  dnnl::stream stream_{engine_};
  memory x_, w_, bias_, y_;  // in the graph's order, at the addresses of a run
  std::vector<memory> owned_;
  std::vector<Step> steps_;
};

}  // namespace

bool onednn_convolves(const Node& node, std::span<const TensorType> in) {
  if ((node.op->family != "conv" && node.op->family != "conv_transpose") || in[0].dtype != DBK_F32) return false;
  const uint32_t rank = in[0].shape.rank();
  return rank >= 3 && rank <= 5 && in[0].count() > 0 && in[1].count() > 0;
}

std::unique_ptr<HostKernel> make_onednn_convolution(const Node& node, std::span<const Tensor> inputs,
                                                    std::span<const Tensor> outputs, FixedInputs fixed) {
  std::vector<TensorType> types;
  for (const Tensor& t : inputs) types.push_back(t.type);
  if (!onednn_convolves(node, types) || outputs[0].count() == 0) return nullptr;
  const bool transposed = node.op->family == "conv_transpose";
  const bool has_bias = types.size() > 2 && types[2].dtype != DBK_DTYPE_NONE;
  const Convolution c = (transposed ? transposed_convolution_of : convolution_of)(node.attrs, types[0].shape, types[1].shape);
  const Problem p = problem_of(c, has_bias, transposed);
  try {
    if (transposed)
      return std::make_unique<OnednnConvolution<dnnl::deconvolution_forward>>(p, inputs[1], fixed.contains(1));
    return std::make_unique<OnednnConvolution<dnnl::convolution_forward>>(p, inputs[1], fixed.contains(1));
  } catch (const dnnl::error&) {
    return nullptr;  // a shape oneDNN has no kernel for: the op's own function does it
  }
}

}  // namespace dbk
