// oneDNN chooses the order of elements in which it computes; what differs from the dense order of the graph is reordered
// around the convolution, weights once for the executable.
#include <algorithm>

#include "plugin/cpu/onednn_convolution.h"

#include "host_fallback/conv.h"
#include "plugin/cpu/onednn_layout.h"
#include "plugin/cpu/onednn_scratch.h"

namespace dbk {

namespace {

using dnnl::memory;

// The weights of ConvTranspose: oneDNN names the channels of the result first, they lie behind those of the input.
memory::desc channels_swapped(const memory::dims& dims, bool grouped) {
  const size_t out = grouped ? 1 : 0, in = out + 1;
  memory::dims swapped = dims;
  std::swap(swapped[out], swapped[in]);
  memory::dims strides = onednn_dense_strides(swapped);
  std::swap(strides[out], strides[in]);
  return stored(dims, strides);
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
  p.w_stored = transposed ? channels_swapped(p.w, c.groups > 1) : stored_densely(p.w);
  return p;
}

// What is executed: the convolution, and a reorder for every operand whose order differs. Kind: convolution_forward or deconvolution_forward.
template <class Kind>
struct Stages {
  using Desc = typename Kind::primitive_desc;
  using Reorder = std::optional<dnnl::reorder::primitive_desc>;

  Desc convolution;
  memory::desc x, w, y;  // in the graph's order
  Reorder x_in, w_in, y_out;

  Stages(const dnnl::engine& engine, const Problem& p) : convolution(describe(engine, p)), x(stored_densely(p.x)), w(p.w_stored), y(stored_densely(p.y)) {
    const auto reorder = [&](const memory::desc& from, const memory::desc& to) -> Reorder {
      if (from == to) return std::nullopt;
      return dnnl::reorder::primitive_desc(engine, from, engine, to, onednn_attributes());
    };
    x_in = reorder(x, convolution.src_desc());
    w_in = reorder(w, convolution.weights_desc());
    y_out = reorder(convolution.dst_desc(), y);
  }

  static Desc describe(const dnnl::engine& engine, const Problem& p) {
    constexpr auto kind = dnnl::prop_kind::forward_inference;
    constexpr auto algorithm = std::is_same_v<Kind, dnnl::convolution_forward> ? dnnl::algorithm::convolution_direct
                                                                               : dnnl::algorithm::deconvolution_direct;
    const auto attributes = onednn_attributes();
    if (p.bias.empty())
      return {engine, kind, algorithm, any(p.x), any(p.w), any(p.y), p.strides, p.dilations, p.begin, p.end, attributes};
    return {engine, kind, algorithm, any(p.x), any(p.w), stored_densely(p.bias), any(p.y), p.strides, p.dilations, p.begin, p.end, attributes};
  }

  // Packed where the weights are fixed and their order differs.
  std::optional<HostKernelNeeds::Packed> packed(bool weights_fixed) const {
    if (!weights_fixed || !w_in) return std::nullopt;
    memory::desc wanted = convolution.weights_desc();
    return HostKernelNeeds::Packed{1, wanted.get_blob(), wanted.get_size()};
  }
};

// Operands in oneDNN's order, as far as they are not the graph's, and one scratchpad for all stages.
struct Scratch : OnednnScratch {
  memory x, w, y, scratchpad;

  template <class Kind>
  Scratch(const Stages<Kind>& stages, const dnnl::engine& engine, bool weights_packed) {
    if (stages.x_in) x = add(stages.convolution.src_desc(), engine);
    if (stages.w_in && !weights_packed) w = add(stages.convolution.weights_desc(), engine);
    if (stages.y_out) y = add(stages.convolution.dst_desc(), engine);
    memory::desc largest = stages.convolution.scratchpad_desc();
    for (const auto* reorder : {&stages.x_in, &stages.w_in, &stages.y_out})
      if (*reorder && (*reorder)->scratchpad_desc().get_size() > largest.get_size()) largest = (*reorder)->scratchpad_desc();
    scratchpad = add(largest, engine);
  }
};

template <class Kind>
class OnednnConvolution final : public HostKernel {
 public:
  OnednnConvolution(const Problem& p, const Tensor& weights, const WeightId* fixed, const FixedInputs& inputs)
      : stages_(engine_, p), scratch_(stages_, engine_, fixed != nullptr), x_(outer(stages_.x)), w_(outer(stages_.w)), y_(outer(stages_.y)) {
    if (const auto packed = stages_.packed(fixed != nullptr)) {
      packed_ = inputs.store().get(*fixed, packed->layout, packed->bytes, [&](std::byte* to) { pack(weights, to); });
      packed_memory_ = memory(stages_.convolution.weights_desc(), engine_, packed_.get());
    }
    if (stages_.x_in) add_reorder(*stages_.x_in, x_, scratch_.x);
    if (stages_.w_in && !packed_) add_reorder(*stages_.w_in, w_, scratch_.w);
    std::vector<dnnl_exec_arg_t> arguments{{DNNL_ARG_SRC, (stages_.x_in ? scratch_.x : x_).get()},
                                           {DNNL_ARG_WEIGHTS, (packed_ ? packed_memory_ : stages_.w_in ? scratch_.w : w_).get()},
                                           {DNNL_ARG_DST, (stages_.y_out ? scratch_.y : y_).get()}};
    if (!p.bias.empty()) {
      bias_ = outer(stored_densely(p.bias));
      arguments.push_back({DNNL_ARG_BIAS, bias_.get()});
    }
    add_step(Kind(stages_.convolution), std::move(arguments));
    if (stages_.y_out) add_reorder(*stages_.y_out, scratch_.y, y_);
  }

  uint64_t scratch_bytes() const override { return scratch_.bytes(); }
  void set_scratch(std::byte* memory) override { scratch_.place(memory); }
  void execute(std::span<const Tensor> in, std::span<Tensor> out) override {
    x_.set_data_handle(in[0].data);
    w_.set_data_handle(in[1].data);
    if (bias_) bias_.set_data_handle(in[2].data);
    y_.set_data_handle(out[0].data);
    for (const Step& step : steps_) onednn_execute(step.primitive, stream_, step.arguments);
  }

 private:
  struct Step {
    dnnl::primitive primitive;
    std::vector<dnnl_exec_arg_t> arguments;
  };

  memory outer(const memory::desc& desc) const { return memory(desc, engine_, nullptr); }

  void pack(const Tensor& weights, std::byte* to) {
    const memory from(stages_.w, engine_, weights.data), packed(stages_.convolution.weights_desc(), engine_, to);
    const memory scratchpad(stages_.w_in->scratchpad_desc(), engine_);
    onednn_execute(dnnl::reorder(*stages_.w_in), stream_,
                   {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, packed.get()}, {DNNL_ARG_SCRATCHPAD, scratchpad.get()}});
  }

  void add_reorder(const dnnl::reorder::primitive_desc& desc, const memory& from, const memory& to) {
    add_step(dnnl::reorder(desc), {{DNNL_ARG_FROM, from.get()}, {DNNL_ARG_TO, to.get()}});
  }

  void add_step(dnnl::primitive primitive, std::vector<dnnl_exec_arg_t> arguments) {
    arguments.push_back({DNNL_ARG_SCRATCHPAD, scratch_.scratchpad.get()});
    steps_.push_back({std::move(primitive), std::move(arguments)});
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};  // one for each kernel, as in onednn_matmul.cpp
  dnnl::stream stream_{engine_};
  Stages<Kind> stages_;
  Scratch scratch_;
  memory x_, w_, y_, bias_;  // in the graph's order, at the addresses of a run
  std::shared_ptr<std::byte[]> packed_;
  memory packed_memory_;
  std::vector<Step> steps_;
};

// Null where oneDNN does not take the node.
std::optional<Problem> problem_of(const Node& node, std::span<const TensorType> in, const TensorType& out) {
  if (!onednn_convolves(node, in) || out.count() == 0) return std::nullopt;
  const bool transposed = node.op->family == "conv_transpose";
  const bool has_bias = in.size() > 2 && in[2].dtype != DBK_DTYPE_NONE;
  const Convolution c = (transposed ? transposed_convolution_of : convolution_of)(node.attrs, in[0].shape, in[1].shape);
  return problem_of(c, has_bias, transposed);
}

template <class Kind>
HostKernelNeeds needs_of(const Problem& p, bool weights_fixed) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const Stages<Kind> stages(engine, p);
  return {Scratch(stages, engine, weights_fixed).bytes(), stages.packed(weights_fixed)};
}

}  // namespace

bool onednn_convolves(const Node& node, std::span<const TensorType> in) {
  if ((node.op->family != "conv" && node.op->family != "conv_transpose") || in[0].dtype != DBK_F32) return false;
  constexpr int64_t kLongestStride = 1 << 12;  // oneDNN's generators count strides: one of 10^9 takes 20 s to compile
  const uint32_t rank = in[0].shape.rank();
  const bool short_strides = !node.attrs.has("strides") || std::ranges::max(node.attrs.integers("strides")) <= kLongestStride;
  return rank >= 3 && rank <= 5 && in[0].count() > 0 && in[1].count() > 0 && short_strides;
}

std::unique_ptr<HostKernel> make_onednn_convolution(const Node& node, std::span<const Tensor> inputs,
                                                    std::span<const Tensor> outputs, const FixedInputs& fixed) {
  std::vector<TensorType> types;
  for (const Tensor& t : inputs) types.push_back(t.type);
  try {
    const auto problem = problem_of(node, types, outputs[0].type);
    if (!problem) return nullptr;
    if (node.op->family == "conv_transpose")
      return std::make_unique<OnednnConvolution<dnnl::deconvolution_forward>>(*problem, inputs[1], fixed.find(1), fixed);
    return std::make_unique<OnednnConvolution<dnnl::convolution_forward>>(*problem, inputs[1], fixed.find(1), fixed);
  } catch (const dnnl::error&) {
    return nullptr;  // a shape oneDNN has no kernel for: the op's own function does it
  }
}

std::optional<HostKernelNeeds> onednn_convolution_needs(const Node& node, std::span<const TensorType> inputs,
                                                        std::span<const TensorType> outputs, const std::vector<bool>& fixed) {
  try {
    const auto problem = problem_of(node, inputs, outputs[0]);
    if (!problem) return std::nullopt;
    const bool transposed = node.op->family == "conv_transpose";
    return (transposed ? needs_of<dnnl::deconvolution_forward> : needs_of<dnnl::convolution_forward>)(*problem, fixed[1]);
  } catch (const dnnl::error&) {
    return std::nullopt;
  }
}

}  // namespace dbk
